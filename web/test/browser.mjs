// A headless Chromium for the tests: Debian's, driven by playwright-core. Exit code 77 means skipped.
import { existsSync } from "node:fs";

export function skip(why) {
  console.log(`\n*** SKIPPED: the page was not tested in a browser: ${why} ***\n`);
  process.exit(77);
}

export async function launch() {
  if (process.env.KLINGEL_NO_BROWSER) skip("KLINGEL_NO_BROWSER is set");
  const path = [process.env.KLINGEL_BROWSER, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => p && existsSync(p));
  if (!path) skip("there is no chromium; './run test' installs it");
  let chromium;
  try {
    ({ chromium } = await import("playwright-core"));
  } catch {
    skip("playwright-core is not installed; './run test' does it with npm ci");
  }
  // software rendering: machines that test have no graphics card
  return chromium.launch({
    executablePath: path,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-dev-shm-usage", "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas"],
  });
}

// Runs tests, pairs of name and function, one after another; `clean` is called before the end of the
// process, whose exit code says whether all passed.
export async function finish(tests, browser, clean = () => {}) {
  let failed = 0;
  for (const [name, act] of tests) {
    const begin = Date.now();
    try {
      await act();
      console.log(`ok    ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++failed;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  clean();
  console.log(failed ? `${failed} of ${tests.length} failed` : `all ${tests.length} passed`);
  process.exit(failed ? 1 : 0);
}

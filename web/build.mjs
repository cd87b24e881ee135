// Builds the page: all scripts and styles of src/ in one HTML file without network.
// usage: node build.mjs [OUT], default ../build/web/page.html
import { build } from "esbuild";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../build/web/page.html");

const bundle = async (entry) => {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2022"],
    legalComments: "none",
    charset: "utf8",
  });
  return result.outputFiles[0].text;
};

const script = await bundle("src/main.js");
const style = await bundle("src/style.css");
// functions as replacements: "$&" in a script must stay what it is
const html = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("/*style*/", () => style)
  .replace("/*script*/", () => script.replaceAll("</script", "<\\/script"))
  .replace("<!--licenses-->", () => "<!-- contains three.js and uPlot, both MIT licensed -->");

mkdirSync(dirname(out), { recursive: true });
writeFileSync(out + ".new", html);
renameSync(out + ".new", out);
console.log(`wrote ${out}, ${Math.round(html.length / 1000)} kB`);

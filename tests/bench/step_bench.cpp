// The time of a step: `klingel bench` on the article's run, with its results where benchmarks put
// them.
#include <unistd.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_step FILE.json\n", stderr);
    return 2;
  }
  execl(KLINGEL_PROGRAM, "klingel", "bench", "--json", argv[1], nullptr);
  std::perror(KLINGEL_PROGRAM);
  return 1;
}

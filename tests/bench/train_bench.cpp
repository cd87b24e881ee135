// What longer trains cost: `klingel growth`, with its results where benchmarks put them.
#include <unistd.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_train FILE.json\n", stderr);
    return 2;
  }
  execl(KLINGEL_PROGRAM, "klingel", "growth", "--json", argv[1], nullptr);
  std::perror(KLINGEL_PROGRAM);
  return 1;
}

/* To be preloaded: the time of day jumps to and fro by up to a day with every look at it. Clocks
 * that only go forward stay as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

static long jump(void) {
  static _Atomic unsigned state = 1;
  const unsigned x = atomic_fetch_add(&state, 1) * 2654435761u;
  return (long)(x >> 8) % 172800 - 86400; /* s */
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  static int (*real)(clockid_t, struct timespec*);
  if (real == NULL) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int result = real(clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += jump();
  return result;
}

time_t time(time_t* to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to != NULL) *to = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  struct timespec t;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &t);
  now->tv_sec = t.tv_sec, now->tv_usec = t.tv_nsec / 1000;
  return 0;
}

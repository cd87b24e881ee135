/* klingel 0.1.0, kernel abi 2, model pendulum, sha256 6cb5908ea5abb6d89d0dbdde382914be42c1270ceec31cef8f305ea38a5056c1
 * Made by klingel from symbolic equations: do not edit. */
#include <math.h>
#include <stdio.h>

#include "pendulum.h"

/* rows: one state each; inputs and outputs in the order of the table */
static const double sample_in[3][8] = {
  {1.5, 0.8, 0.06, 0.0, 9.81, 2.240988646327189,
   -0.19567928042419028, 0.1629279337989402},
  {1.5, 0.8, 0.06, 0.0, 9.81, 1.8897491620184566,
   0.2993726994123443, 0.09194609100235715},
  {1.5, 0.8, 0.06, 0.0, 9.81, 3.1038403059705546,
   0.05850888875911098, -0.13762577482336427},
};
static const double sample_out[3][6] = {
  {1.0200000000000002, -9.062814643026165, 0.01952809420153774, 19.084021465105014, -8.88511239512369, 1.0200000000000002},
  {1.0200000000000002, -11.086324855665906, 0.04570824670825127, 15.463374086010822, -10.868945936927355, 1.0200000000000002},
  {1.0200000000000002, -0.5819408508602917, 0.001745877932551272, 23.535612035136413, -0.5705302459414623, 1.0200000000000002},
};

/* relative to the largest value of the same output: sums cancel */
static const double tolerance = 1e-11;

int main(void) {
  const klingel_kernel *k = pendulum_kernel();
  double w[8], out_values[6], worst = 0;
  for (int t = 0; t < 3; ++t) {
    const double *in[4] = {0};
    for (uint32_t i = 0, at = 0; i < k->n_inputs; at += k->inputs[i++].size) in[i] = sample_in[t] + at;
    for (uint32_t s = 0; s < k->n_stages; ++s) k->stages[s].call(k->stages[s].context, in, w, 0);
    uint32_t at = 0;
    for (uint32_t f = 0; f < k->n_functions; ++f) {
      const klingel_function *fn = &k->functions[f];
      double *out[2] = {0};
      uint32_t start = at;
      for (uint32_t o = 0; o < fn->n_outputs; at += fn->outputs[o++].size) out[o] = out_values + at;
      fn->call(fn->context, in, w, out);
      for (uint32_t o = 0; o < fn->n_outputs; start += fn->outputs[o++].size) {
        double scale = 1e-300;
        for (uint32_t i = 0; i < fn->outputs[o].size; ++i) scale = fmax(scale, fabs(sample_out[t][start + i]));
        for (uint32_t i = 0; i < fn->outputs[o].size; ++i) {
          const double got = out_values[start + i], want = sample_out[t][start + i];
          const double apart = fabs(got - want) / scale;
          const double error = got == want || (isnan(got) && isnan(want)) ? 0 : isnan(apart) ? INFINITY : apart;
          if (error > worst) worst = error;
          if (error > tolerance) printf("%s.%s[%u]: got %.17g, expected %.17g\n", fn->name, fn->outputs[o].name, i, got, want);
        }
      }
    }
  }
  printf("%s: 6 values at 3 states, worst relative difference %.3g: %s\n", k->model, worst,
         worst <= tolerance ? "fine" : "WRONG");
  return worst <= tolerance ? 0 : 1;
}

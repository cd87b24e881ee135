// The counting malloc of the runtime's tests, in this program too.
#include "tests/unit/run/allocation_count.cpp"

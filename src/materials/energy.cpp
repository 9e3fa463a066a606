#include "materials/energy.h"

namespace warpath {

std::vector<float> make_energy_tables() { return std::vector<float>(energy_tables_size, 1.0f); }

}  // namespace warpath

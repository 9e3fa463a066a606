#pragma once

#include "core/type_list.h"
#include "schedulers/launch.h"
#include "schedulers/persistent.h"

namespace warpath {

/// Every scheduler, in the order of menus and tables. A new one is one file and one line here.
using SchedulerList = TypeList<LaunchScheduler, PersistentScheduler>;

}  // namespace warpath

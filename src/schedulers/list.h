#pragma once

#include "core/type_list.h"
#include "schedulers/cooperative.h"
#include "schedulers/device_launch.h"
#include "schedulers/graph.h"
#include "schedulers/hybrid.h"
#include "schedulers/launch.h"
#include "schedulers/launch_async.h"
#include "schedulers/megakernel.h"
#include "schedulers/megakernel_persistent.h"
#include "schedulers/persistent.h"
#include "schedulers/persistent_global.h"
#include "schedulers/resident.h"

namespace warpath {

/// Every scheduler, in the order of menus and tables. A new one is one file and one line here. Those with a `cuda_only` text do not run
/// on the CPU; the text says why.
using SchedulerList =
    TypeList<LaunchScheduler, LaunchAsyncScheduler, GraphScheduler, GraphUnrolledScheduler, GraphWhileScheduler, DeviceLaunchScheduler,
             CooperativeScheduler, PersistentScheduler, PersistentGlobalScheduler, ResidentScheduler, HybridScheduler, MegakernelScheduler,
             MegakernelPersistentScheduler>;

/// The schedulers that any backend can run.
template <class Scheduler>
concept PortableScheduler = !requires { Scheduler::cuda_only; };

}  // namespace warpath

#pragma once

#include "cluster/launch.hpp"

namespace tempo::test {

/// Two models and eight tasks of fits, in a folder with blanks, quotes and braces.
inline Launch some_launch() {
  Launch out{.experiment = "small study",
             .folder = ClusterFolder("/data/a run's {x} 100%"),
             .program = "/opt/tempo 1/bin/tempo",
             .options = {},
             .is_durable = false,
             .settings = {},
             .submission = {.launcher = "slurm", .models = 2, .tasks = 8},
             .models = {1, 2},
             .fits = {1, 2, 3, 4, 5, 6, 7, 8}};
  out.settings.fits.partition = "short";
  out.settings.fits.cpus = 4;
  out.settings.fits.extra = {"--qos=low", "module load gcc"};
  out.settings.trainings = out.settings.fits;
  out.settings.trainings.gpus = 1;
  out.settings.throttle = 3;
  return out;
}

}  // namespace tempo::test

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cluster/cluster_folder.hpp"
#include "study/cluster_settings.hpp"

namespace tempo {

/// Tasks that are to be started, and how.
struct Launch {
  std::string experiment;  ///< its name
  ClusterFolder folder;
  std::string program;               ///< tempo, as an absolute path
  std::vector<std::string> options;  ///< of every command, such as --plugin-path
  bool is_durable = false;           ///< tasks run with --durable
  ClusterSettings settings;
  Submission submission;
  std::vector<std::size_t> models;  ///< indices of tasks that train and apply a model, from 1
  std::vector<std::size_t> fits;    ///< likewise, of those without a model
};

/// The command that does a part of a run: the words of a shell, the program first.
std::vector<std::string> command_of(const Launch& launch, const Shard& shard);
/// The command that joins the parts that are there. @param parts  their folders
std::vector<std::string> merge_command_of(const Launch& launch,
                                          const std::vector<std::string>& parts);
/// Words as a line of shell.
std::string as_line(const std::vector<std::string>& words);

/// A file that a submission writes into the folder `cluster`.
struct ClusterFile {
  std::string name;
  std::string text;
  bool is_executable = false;
};

/// Task lists for GNU parallel and a Snakefile: for launchers that tempo does not speak to.
std::vector<ClusterFile> task_lists(const Launch& launch);

}  // namespace tempo

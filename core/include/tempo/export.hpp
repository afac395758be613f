#pragma once

/// Marks what libtempo_core.so shows to the outside: everything else in it is hidden. Interfaces
/// and exceptions carry it so that each type has one home, whatever the number of plugins.
#if defined(__GNUC__)
#define TEMPO_API __attribute__((visibility("default")))
#else
#define TEMPO_API
#endif

#pragma once

namespace threefold {

/// Opens /dev/null in place of closed standard input, output or error; otherwise the next opened
/// file would take that descriptor and receive the output.
void keepStandardStreamsOpen();

/// Lets waiting OpenMP threads sleep after some microseconds; by default they spin for milliseconds
/// on cores that another program, or a software Vulkan driver, may need. OpenMP reads this setting
/// only from the environment before main(), so the program re-executes itself. Returns if the
/// program was re-executed already or cannot be, or if the user chose a setting.
///
/// Measured on 2 cores beside three busy programs: a reconstruction takes 1.30 s instead of 1.48.
/// Without other programs its time does not change. The restart costs 10 ms.
void letWaitingThreadsSleep(char** argv);

/// peakResidentBytes() in MB (10^6 bytes), as reports show it; 0 if unknown.
double peakMemoryMegabytes();

}  // namespace threefold

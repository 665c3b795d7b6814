#pragma once

/// THREEFOLD_ADDRESS_SANITIZER is 1 in builds with the address sanitizer, else 0.
#define THREEFOLD_ADDRESS_SANITIZER 0
#if defined(__SANITIZE_ADDRESS__)
#undef THREEFOLD_ADDRESS_SANITIZER
#define THREEFOLD_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#undef THREEFOLD_ADDRESS_SANITIZER
#define THREEFOLD_ADDRESS_SANITIZER 1
#endif
#endif

#pragma once

#include "engine/text_table.h"  // IWYU pragma: export

# The compute capabilities that the kernels are tested for (tests/cuda/resources/limits.txt). 90a is 9.0
# with the instructions that only Hopper has: every device of 9.0 runs it.
set(THREEFOLD_KNOWN_ARCHITECTURES 75 80 86 89 90a 100 120)

# threefold_cuda_architectures(CHOICE SEEN RESULT): CHOICE as a list of architectures.
#   all     every known one
#   native  what the GPUs of this machine run best; SEEN where nvidia-smi shows none
#   else    a list, as it is: "80;90"
# A GPU runs code of its own generation that is not newer than itself: a GPU of 10.3 runs code of 10.0.
function(threefold_cuda_architectures choice seen result)
  set(chosen ${choice})
  if(choice STREQUAL "all")
    set(chosen ${THREEFOLD_KNOWN_ARCHITECTURES})
  elseif(choice STREQUAL "native")
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE status)
    set(chosen)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${text}")
    foreach(capability IN LISTS capabilities)
      string(REPLACE "." "" capability ${capability})
      math(EXPR generation "${capability} / 10")
      set(best)
      foreach(known IN LISTS THREEFOLD_KNOWN_ARCHITECTURES)
        string(REGEX MATCH "^[0-9]+" number ${known})  # 90 of 90a
        math(EXPR its_generation "${number} / 10")
        if(its_generation EQUAL generation AND NOT number GREATER capability)
          set(best ${known})
        endif()
      endforeach()
      list(APPEND chosen ${best})
    endforeach()
    list(SORT chosen COMPARE NATURAL)
    list(REMOVE_DUPLICATES chosen)
    if(NOT chosen)
      set(chosen ${seen})
    endif()
  endif()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# One static library for each folder of src/, one test program for each folder of tests/unit/.

# bursar_folder(NAME [IN_JVM] [DEPENDS folder…] [LINK library…])
#   IN_JVM: the code may run inside somebody's JVM, so it is built without exceptions and run-time type information.
function(bursar_folder name)
  cmake_parse_arguments(ARG "IN_JVM" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(FILTER sources EXCLUDE REGEX "/(main|door)\\.cpp$")
  if(sources)
    add_library(bursar_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(bursar_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(bursar_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  foreach(folder ${ARG_DEPENDS})
    target_link_libraries(bursar_${name} ${scope} bursar_${folder})
  endforeach()
  target_link_libraries(bursar_${name} ${scope} ${ARG_LINK})
  # Several files compiled as one are a third of the work. What runs in a JVM stays as it is measured.
  if(BURSAR_QUICK_BUILD AND sources AND NOT ARG_IN_JVM)
    set_target_properties(bursar_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  endif()
  if(ARG_IN_JVM AND sources)
    target_compile_options(bursar_${name} PRIVATE -fno-exceptions)
    # The undefined-behaviour sanitizer checks objects by their type information.
    if(NOT BURSAR_SANITIZE)
      target_compile_options(bursar_${name} PRIVATE -fno-rtti)
    endif()
  endif()
endfunction()

# bursar_unit_test(FOLDER): tests/unit/FOLDER/*.cpp become one program; ctest sees each case by its own name.
function(bursar_unit_test folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${folder} ${sources})
  target_link_libraries(test_${folder} PRIVATE bursar_${folder} ${ARGN} GTest::gtest_main)
  target_include_directories(test_${folder} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  # A test runs once: what compiles soonest ends soonest. (Not several files as one: tests use the same short names.)
  if(BURSAR_QUICK_BUILD)
    target_compile_options(test_${folder} PRIVATE -O0 -g0)
    target_precompile_headers(test_${folder} PRIVATE <gtest/gtest.h> <algorithm> <functional> <map> <random> <string> <vector>)
  endif()
  gtest_discover_tests(test_${folder}
    TEST_PREFIX "${folder}: " DISCOVERY_TIMEOUT 60
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    PROPERTIES LABELS unit TIMEOUT 300)
endfunction()

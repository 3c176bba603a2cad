// RUN: not mirage-opt --convert-mirage-to-gpu=target=sm_70 %s 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not mirage-opt --convert-mirage-to-gpu=threads=48 %s 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not mirage-opt --convert-mirage-to-gpu=threads=2048 %s 2>&1 | FileCheck %s --check-prefix=MANY

// TARGET: error: unknown target 'sm_70', expected one of sm_80, sm_90a
// THREADS: error: the number of threads must be a multiple of 32 from 32 to 1024, found 48
// MANY: error: the number of threads must be a multiple of 32 from 32 to 1024, found 2048
module {}

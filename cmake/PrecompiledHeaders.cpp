//===- PrecompiledHeaders.cpp - A target's source -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MiragePrecompiledHeaders (AddMirage.cmake) compiles headers alone, but has to
// have a source.
//
//===----------------------------------------------------------------------===//

//===- mirage-db.cpp - Looks after a results database ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Database/ResultsDatabase.h"
#include "Mirage/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
namespace cl = llvm::cl;

namespace {

struct CommandLine {
  cl::OptionCategory category{"mirage-db options"};
  cl::opt<std::string> command{
      cl::Positional, cl::Required,
      cl::desc("list | show ID | export FILE | import FILE | clear"),
      cl::cat(category)};
  cl::list<std::string> arguments{cl::Positional, cl::desc(""),
                                  cl::cat(category)};
  cl::opt<std::string> database{
      "database",
      cl::desc("The file (default: $MIRAGE_DATABASE, or mirage/results.db in "
               "$XDG_CACHE_HOME or ~/.cache)"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<int64_t> id{"id", cl::desc("clear: the entry of that number"),
                      cl::value_desc("N"), cl::cat(category)};
  cl::opt<std::string> function{
      "function", cl::desc("clear: the entries of functions of that name"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<bool> all{"all", cl::desc("clear: all entries"), cl::cat(category)};

  /// How often one of the options that say what to clear is given.
  int countClearOptions() const {
    return id.getNumOccurrences() + function.getNumOccurrences() +
           all.getNumOccurrences();
  }
};

std::string getTime(const ResultsEntry &entry) {
  // What is corrupt may be of any time.
  if (!entry.hasValidTime())
    return "unknown";
  return llvm::formatv(
             "{0:%Y-%m-%d %H:%M:%S}",
             llvm::sys::toUtcTime(static_cast<std::time_t>(entry.created)))
      .str();
}

llvm::Error list(ResultsDatabase &database) {
  auto entries = database.list();
  if (!entries)
    return entries.takeError();
  auto print = [](auto... columns) {
    llvm::outs() << llvm::formatv(
        "{0,6}  {1,-10}  {2,-19}  {3,9}  {4,9}  {5}\n", columns...);
  };
  print("id", "kind", "stored (UTC)", "seconds", "bytes", "function");
  for (const ResultsEntry &entry : *entries)
    print(entry.id,
          entry.isIntact ? getEntryKindName(entry.kind)
                         : llvm::StringRef("corrupt"),
          getTime(entry), llvm::formatv("{0:f2}", entry.seconds).str(),
          entry.blob.size(), entry.function);
  return llvm::Error::success();
}

llvm::Error show(ResultsDatabase &database, int64_t id) {
  auto entry = database.get(id);
  if (!entry)
    return entry.takeError();
  if (!*entry)
    return llvm::createStringError(database.getPath() + ": there is no entry " +
                                   llvm::Twine(id));
  const ResultsEntry &e = **entry;
  llvm::outs() << "id: " << e.id << "\nkind: " << getEntryKindName(e.kind)
               << "\nfunction: " << e.function << "\nstored: " << getTime(e)
               << " UTC\nseconds: " << llvm::formatv("{0:f2}", e.seconds)
               << "\n";
  auto printText = [](llvm::StringRef name, llvm::StringRef text) {
    llvm::outs() << "\n" << name << ":\n" << text;
    if (!text.ends_with("\n"))
      llvm::outs() << "\n";
  };
  printText("target", e.key.target);
  printText("options", e.key.options);
  printText("version", e.key.version);
  printText("program", e.key.program);
  printText(getEntryKindName(e.kind), e.blob);
  return llvm::Error::success();
}

llvm::Error exportFile(ResultsDatabase &database, llvm::StringRef file) {
  if (llvm::sys::fs::equivalent(file, database.getPath()))
    return llvm::createStringError(file + ": is the database itself");
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = database.exportTo(os))
    return error;
  OutputFile output;
  if (llvm::Error error = output.open(file))
    return error;
  return output.write(text);
}

llvm::Error importFile(ResultsDatabase &database, llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer)
    return llvm::createStringError(file + ": " + buffer.getError().message());
  auto added = database.importFrom(**buffer);
  if (!added)
    return added.takeError();
  llvm::outs() << "entries added: " << *added << "\n";
  return llvm::Error::success();
}

llvm::Error clear(ResultsDatabase &database, const CommandLine &options) {
  auto removed = options.all.getNumOccurrences() ? database.clearAll()
                 : options.id.getNumOccurrences()
                     ? database.clearEntry(options.id)
                     : database.clearFunction(options.function.getValue());
  if (!removed)
    return removed.takeError();
  // Most likely the name or number was meant to be another.
  if (*removed == 0 && options.id.getNumOccurrences())
    return llvm::createStringError(database.getPath() + ": there is no entry " +
                                   llvm::Twine(options.id.getValue()));
  if (*removed == 0 && options.function.getNumOccurrences())
    return llvm::createStringError(database.getPath() +
                                   ": there is no entry of a function '" +
                                   options.function.getValue() + "'");
  llvm::outs() << "entries removed: " << *removed << "\n";
  return llvm::Error::success();
}

llvm::Error run(const CommandLine &options) {
  struct Command {
    llvm::StringRef name;
    /// What its argument is called; empty: it has none.
    llvm::StringRef argument;
    OpenMode mode;
  };
  static constexpr Command kCommands[] = {{"list", "", OpenMode::Read},
                                          {"show", "ID", OpenMode::Read},
                                          {"export", "FILE", OpenMode::Read},
                                          {"import", "FILE", OpenMode::Create},
                                          {"clear", "", OpenMode::Write}};
  const Command *command = llvm::find_if(kCommands, [&](const Command &c) {
    return c.name == options.command.getValue();
  });
  if (command == std::end(kCommands))
    return llvm::createStringError(
        "there is no command '" + options.command.getValue() +
        "'; there are list, show, export, import, clear");
  if (options.arguments.size() != (command->argument.empty() ? 0 : 1))
    return llvm::createStringError(
        "'" + command->name + "' takes " +
        (command->argument.empty() ? "no argument"
                                   : "one argument, " + command->argument));
  bool isClear = command->name == "clear";
  if (options.countClearOptions() != isClear)
    return llvm::createStringError(
        isClear ? "'clear' takes one of --id, --function and --all"
                : "--id, --function and --all are options of 'clear'");
  int64_t id = 0;
  if (command->name == "show" &&
      llvm::StringRef(options.arguments[0]).getAsInteger(10, id))
    return llvm::createStringError("'" + options.arguments[0] +
                                   "' is not the number of an entry");

  std::string path = options.database;
  if (!options.database.getNumOccurrences()) {
    llvm::Expected<std::string> defaultPath = getDefaultDatabasePath();
    if (!defaultPath)
      return defaultPath.takeError();
    path = *defaultPath;
  }
  auto database = ResultsDatabase::open(path, command->mode);
  if (!database)
    return database.takeError();
  if (command->name == "list")
    return list(**database);
  if (command->name == "show")
    return show(**database, id);
  if (command->name == "import")
    return importFile(**database, options.arguments[0]);
  if (isClear)
    return clear(**database, options);
  return exportFile(**database, options.arguments[0]);
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Looks after a database of search results\n");
  llvm::Error error = run(options);
  if (!error)
    error = finishOutput(llvm::outs(), "<stdout>");
  if (error) {
    llvm::WithColor::error(llvm::errs(), "mirage-db")
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}

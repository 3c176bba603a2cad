//===- Page.cpp - A module as one HTML page -------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "Labels.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Mugraph/VerdictState.h"
#include "Mirage/Target/Drawing.h"
#include "Mirage/Verify/VerdictAttr.h"
#include "Report.h"
#include "Style.h"
#include "Svg.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
namespace json = llvm::json;

namespace {

/// A function, and what is known of it.
struct Program {
  func::FuncOp function;
  Diagram diagram;
  /// Nothing for what is no kernel graph; then why.
  std::optional<CostEstimate> cost;
  std::string obstacle;
  /// The estimates of single kernels.
  ExtraNotes kernelCosts;
};

class PageWriter {
public:
  PageWriter(ModuleOp module, const json::Array *report,
             llvm::raw_ostream &out);

  llvm::Error write();

private:
  Program getProgram(func::FuncOp function);
  llvm::Error checkReport() const;
  void writeHead();
  void writeGuide();
  void writeLegend();
  void writePair(func::FuncOp function, func::FuncOp reference);
  void writeSingle(func::FuncOp function);
  void writeHeading(func::FuncOp function);
  void writeLead(const Program &before, const Program &after);
  void writeCosts(ArrayRef<Program *> programs);
  void writeVerdict(func::FuncOp function);
  void writeTarget();
  void writeDrawing(Program &program, StringRef caption);
  void writeSearch(func::FuncOp function);
  void writeIR(ArrayRef<func::FuncOp> functions);

  ModuleOp module;
  const json::Array *report;
  llvm::raw_ostream &out;
  AsmState names;
  SymbolTableCollection symbols;
  TargetAttr target;
  bool isTargetGiven;
  std::vector<func::FuncOp> functions;
};

} // namespace

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string getTimeText(double nanoseconds) {
  if (nanoseconds < 1e3)
    return llvm::formatv("{0:f0} ns", nanoseconds);
  if (nanoseconds < 1e6)
    return llvm::formatv("{0:f1} µs", nanoseconds / 1e3);
  return llvm::formatv("{0:f2} ms", nanoseconds / 1e6);
}

static std::string getKernelsText(unsigned kernels) {
  return kernels == 1 ? "1 kernel" : getGroupedText(kernels) + " kernels";
}

static std::string getNameText(func::FuncOp function) {
  return escapeHTML("@" + makePrintable(function.getSymName()));
}

//===----------------------------------------------------------------------===//
// What is shown
//===----------------------------------------------------------------------===//

PageWriter::PageWriter(ModuleOp module, const json::Array *report,
                       llvm::raw_ostream &out)
    : module(module), report(report), out(out),
      names(module, getDrawingFlags()) {
  // A module without one of our ops has not loaded it.
  module.getContext()->loadDialect<MirageDialect>();
  target = module->getAttrOfType<TargetAttr>(MirageDialect::kTargetAttr);
  isTargetGiven = static_cast<bool>(target);
  // The default of the search.
  if (!target)
    target = TargetAttr::lookup(module.getContext(), "sm_90a");
  module.walk<WalkOrder::PreOrder>(
      [&](func::FuncOp function) { functions.push_back(function); });
}

Program PageWriter::getProgram(func::FuncOp function) {
  Program program;
  program.function = function;
  program.diagram = buildDiagram(function, names, Level::Thread);
  if (auto obstacle = findObstacle(function)) {
    program.obstacle = obstacle->second;
    return program;
  }
  FailureOr<KernelGraph> graph = importKernelGraph(function);
  if (failed(graph))
    return program;
  program.cost = estimateCost(*graph, target);
  // One node for each op, in order.
  for (auto [op, node] :
       llvm::zip(function.getBody().front().without_terminator(), graph->nodes))
    if (node.kind != KernelNode::Kind::Constant)
      program.kernelCosts[&op] =
          "estimate: " +
          getTimeText(estimateKernel(*graph, node, target).nanoseconds);
  return program;
}

llvm::Error PageWriter::checkReport() const {
  if (!report || report->empty())
    return llvm::Error::success();
  std::string found;
  for (const json::Value &entry : *report) {
    StringRef name = *entry.getAsObject()->getString("function");
    for (func::FuncOp function : functions)
      if (function.getSymName() == name)
        return llvm::Error::success();
    found += (found.empty() ? "'" : ", '") + makePrintable(name) + "'";
  }
  return llvm::createStringError(
      "is about none of the functions of the module, but about " + found);
}

//===----------------------------------------------------------------------===//
// Parts of the page
//===----------------------------------------------------------------------===//

void PageWriter::writeHead() {
  std::string title = "μGraphs";
  if (functions.size() == 1)
    title = "μGraph of " + getNameText(functions.front());
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
         "charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n<title>"
      << title << "</title>\n<style>\n"
      << kPageStyle << "</style>\n</head>\n<body>\n<h1>" << title
      << "</h1>\n<p class=\"note\">A μGraph is one program for a GPU on up to "
         "three levels: kernels, what a thread block does in a kernel, and "
         "what a thread does in a block.</p>\n";
}

void PageWriter::writeGuide() {
  out << R"html(<details class="screen"><summary>How to read the drawings</summary>
<dl>
<dt>box</dt><dd>An operator: its name, on the right the value that it defines (as in the IR), its parameters, and the shape and element type of the result. Arrows lead from a value to those who read it, in the order of the operands from left to right.</dd>
<dt>kernel graph</dt><dd>The outermost frame. Every operator in it is one kernel on the whole GPU; what passes between them lies in device memory, which is slow.</dd>
<dt>kernel, by a block graph</dt><dd>One kernel that the search has made. The grid says how many thread blocks run it; each does what the frame shows, on its own tiles, in shared memory, which is fast and small.</dd>
<dt>imap</dt><dd>How an input is spread over the blocks: x→1 cuts dimension 1 into as many parts as there are blocks along x, the last of which may overlap the one in front of it; x→replica gives all of them the same.</dd>
<dt>for-loop, fmap</dt><dd>The block works through its part in iterations; i→0 cuts dimension 0 into one part for each.</dd>
<dt>accumulate</dt><dd>What the iterations add up to. Only this leaves the loop.</dd>
<dt>omap</dt><dd>Where the tiles of the blocks go in the result: x→1 puts them one after the other along dimension 1.</dd>
<dt>thread graph</dt><dd>Elementwise operators that stay in the registers of the threads.</dd>
</dl></details>
)html";
}

void PageWriter::writeLegend() {
  out << R"html(<ul class="legend">
<li><span class="kernel-graph"></span>kernel graph: whole GPU, device memory</li>
<li><span class="block-graph"></span>block graph: one thread block, shared memory</li>
<li><span class="loop"></span>its loop</li>
<li><span class="thread-graph"></span>thread graph: registers</li>
<li><span class="operator"></span>operator</li>
<li><span class="transfer"></span>tile in or out</li>
<li><span class="accumulator"></span>accumulator</li>
<li class="screen">Point at a box or a header for an explanation; click to keep it.</li>
</ul>
)html";
}

void PageWriter::writeHeading(func::FuncOp function) {
  if (functions.size() > 1)
    out << "<section>\n<h2>" << getNameText(function) << "</h2>\n";
  else
    out << "<section>\n";
}

void PageWriter::writeLead(const Program &before, const Program &after) {
  if (!before.cost || !after.cost)
    return;
  double ratio = before.cost->nanoseconds / after.cost->nanoseconds;
  out << "<p class=\"lead\">As given the program is "
      << getKernelsText(before.cost->kernels) << ", the μGraph is "
      << getKernelsText(after.cost->kernels) << ": an estimated <b>"
      << getTimeText(after.cost->nanoseconds) << "</b> instead of "
      << getTimeText(before.cost->nanoseconds) << " on "
      << escapeHTML(makePrintable(target.getChip())) << ", "
      << llvm::formatv("<b>{0:f2} times</b> as fast.</p>\n", ratio);
}

void PageWriter::writeCosts(ArrayRef<Program *> programs) {
  out << "<h3>Costs</h3>\n";
  for (Program *program : programs)
    if (!program->cost) {
      out << "<p>Not estimated: " << getNameText(program->function)
          << " is not a kernel graph, "
          << escapeHTML(makePrintable(program->obstacle)) << ".</p>\n";
      return;
    }
  bool isPair = programs.size() == 2;
  out << "<table class=\"costs\">";
  if (isPair)
    out << "<thead><tr><th></th><th class=\"number\">before</th><th "
           "class=\"number\">after</th><th class=\"number\">ratio</th><th></th>"
           "</tr></thead>";
  out << "<tbody>\n";
  auto writeRow = [&](StringRef name, auto getNumber, auto getText,
                      StringRef note) {
    out << "<tr><th scope=\"row\">" << name << "</th>";
    for (Program *program : programs)
      out << "<td class=\"number\">" << getText(getNumber(*program->cost))
          << "</td>";
    if (isPair) {
      double before = getNumber(*programs[0]->cost),
             after = getNumber(*programs[1]->cost);
      double ratio = after > 0 ? before / after : 1;
      out << "<td class=\"number"
          << (ratio > 1.005   ? " better"
              : ratio < 0.995 ? " worse"
                              : "")
          << "\">" << llvm::formatv("{0:f2}×", ratio) << "</td>";
    }
    out << "<td class=\"note\">" << note << "</td></tr>\n";
  };
  writeRow(
      "kernels", [](const CostEstimate &c) { return c.kernels; },
      getGroupedText, "launched one after the other");
  writeRow(
      "device bytes", [](const CostEstimate &c) { return c.deviceBytes; },
      getGroupedText, "between device memory and the chip");
  writeRow(
      "requested bytes", [](const CostEstimate &c) { return c.requestedBytes; },
      getGroupedText, "by blocks, caches included");
  writeRow(
      "time", [](const CostEstimate &c) { return c.nanoseconds; },
      [](double ns) { return getGroupedText(std::llround(ns)) + " ns"; },
      "estimated by the cost model");
  out << "</tbody></table>\n";
}

void PageWriter::writeVerdict(func::FuncOp function) {
  out << "<h3>Verdict</h3>\n";
  auto verdict =
      function->getAttrOfType<DictionaryAttr>(MirageDialect::kVerdictAttr);
  auto name = verdict ? verdict.getAs<StringAttr>("verdict") : StringAttr();
  if (!name) {
    out << "<p><span class=\"verdict unknown\">none</span> No verifier has "
           "compared the two.</p>\n";
    return;
  }
  StringRef style = "unknown", meaning = "Nothing is known.";
  if (getVerdictState(function) == VerdictState::OfAnother) {
    out << "<p><span class=\"verdict unknown\">none</span> The verdict that "
           "the "
           "function has is of another μGraph: this one was changed "
           "since.</p>\n";
    return;
  }
  if (name.getValue() == "proved") {
    auto sizes = verdict.getAs<StringAttr>("sizes");
    style = "proved";
    if (verdict.contains("axioms"))
      meaning = "If the axioms hold, the two compute the same over the real "
                "numbers.";
    else if (sizes && sizes.getValue() == "all")
      meaning = "The two compute the same over the real numbers, whatever the "
                "sizes of the tensors.";
    else
      meaning =
          "The two compute the same over the real numbers, for tensors of "
          "these sizes.";
  } else if (name.getValue() == "accepted") {
    style = "accepted";
    meaning = "Random tests over finite fields have found no difference.";
  } else if (name.getValue() == "refuted") {
    style = "refuted";
    meaning = "The two compute different things.";
  } else if (name.getValue() == "unknown") {
    meaning = "It could not be decided whether the two compute the same.";
  }
  out << "<p><span class=\"verdict " << style << "\">"
      << escapeHTML(makePrintable(getVerdictText(verdict))) << "</span> "
      << meaning << "</p>\n";
  std::string details;
  for (NamedAttribute entry : verdict)
    if (entry.getName() != "verdict")
      details += (details.empty() ? "" : " · ") + entry.getName().str() + ": " +
                 getAttributeText(entry.getValue());
  out << "<p class=\"note\">" << escapeHTML(makePrintable(details)) << "</p>\n";
}

void PageWriter::writeTarget() {
  out << "<p class=\"note\">Target: "
      << escapeHTML(makePrintable(target.getChip())) << ": "
      << getGroupedText(target.getSmCount()) << " multiprocessors, "
      << getGroupedText(target.getSharedBytes())
      << " bytes of shared memory for a block, "
      << getGroupedText(target.getBandwidth())
      << " GB/s of device memory bandwidth, "
      << getGroupedText(target.getTflops()) << " TFLOP/s, "
      << getGroupedText(target.getLaunchNs()) << " ns to launch a kernel."
      << (isTargetGiven ? "" : " (The module names none.)") << "</p>\n";
}

void PageWriter::writeDrawing(Program &program, StringRef caption) {
  std::string svg;
  llvm::raw_string_ostream drawing(svg);
  double width = writeSvg(
      program.diagram, names, program.kernelCosts,
      "The graph of @" + makePrintable(program.function.getSymName()), drawing);
  // Side by side with the next one where both fit, a little smaller if need be.
  out << llvm::formatv(
      "<figure style=\"flex:1 1 {0:f0}px;max-width:{1:f0}px\">",
      kLeastScale * width, width);
  if (!caption.empty())
    out << "<figcaption>" << caption << "</figcaption>";
  out << "<div class=\"scroll\">\n" << svg << "</div></figure>\n";
}

void PageWriter::writeSearch(func::FuncOp function) {
  if (!report)
    return;
  bool isFound = false;
  out << "<h3>The search</h3>\n";
  for (const json::Value &entry : *report)
    if (*entry.getAsObject()->getString("function") == function.getSymName()) {
      writeReport(*entry.getAsObject(), out);
      isFound = true;
    }
  if (!isFound)
    out << "<p>The report has no entry for " << getNameText(function)
        << ".</p>\n";
}

void PageWriter::writeIR(ArrayRef<func::FuncOp> shown) {
  out << "<details class=\"screen\"><summary>As IR</summary>\n<pre>";
  for (func::FuncOp function : shown) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    function->print(stream, OpPrintingFlags().elideLargeElementsAttrs(16));
    llvm::SmallVector<StringRef> lines;
    StringRef(text).split(lines, '\n');
    for (StringRef line : lines)
      out << escapeHTML(makePrintable(line)) << '\n';
  }
  out << "</pre></details>\n";
}

void PageWriter::writePair(func::FuncOp function, func::FuncOp reference) {
  Program before = getProgram(reference), after = getProgram(function);
  writeHeading(function);
  writeLead(before, after);
  out << "<div class=\"columns top\"><div>\n";
  writeCosts({&before, &after});
  out << "</div><div>\n";
  writeVerdict(function);
  out << "</div></div>\n<h3>Before and after</h3>\n";
  writeLegend();
  out << "<div class=\"drawings\">\n";
  writeDrawing(before, "The program as given");
  writeDrawing(after, "The μGraph that computes the same");
  out << "</div>\n";
  writeSearch(function);
  writeIR({reference, function});
  out << "</section>\n";
}

void PageWriter::writeSingle(func::FuncOp function) {
  Program program = getProgram(function);
  writeHeading(function);
  out << "<p>There is no reference to compare it with.</p>\n";
  writeCosts(&program);
  out << "<h3>The program</h3>\n";
  writeLegend();
  writeDrawing(program, "");
  writeSearch(function);
  writeIR(function);
  out << "</section>\n";
}

llvm::Error PageWriter::write() {
  if (llvm::Error error = checkReport())
    return error;
  llvm::DenseMap<Operation *, func::FuncOp> references;
  llvm::DenseSet<Operation *> isReference;
  for (func::FuncOp function : functions) {
    auto name = function->getAttrOfType<FlatSymbolRefAttr>(
        MirageDialect::kReferenceAttr);
    auto reference =
        name ? symbols.lookupNearestSymbolFrom<func::FuncOp>(function, name)
             : func::FuncOp();
    if (!reference || reference == function)
      continue;
    references[function] = reference;
    isReference.insert(reference);
  }
  std::vector<func::FuncOp> shown;
  for (func::FuncOp function : functions)
    if (references.count(function) || !isReference.contains(function))
      shown.push_back(function);
  functions = std::move(shown);

  writeHead();
  writeTarget();
  writeGuide();
  if (functions.empty())
    out << "<p>The module has no functions.</p>\n";
  for (func::FuncOp function : functions)
    if (func::FuncOp reference = references.lookup(function))
      writePair(function, reference);
    else
      writeSingle(function);
  out << kPagePanel << "<script>\n"
      << kPageScript << "</script>\n</body>\n</html>\n";
  return llvm::Error::success();
}

llvm::Error mirage::writeMugraphHTML(ModuleOp module, const json::Array *report,
                                     llvm::raw_ostream &out) {
  return PageWriter(module, report, out).write();
}

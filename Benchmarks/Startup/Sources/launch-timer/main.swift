// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Runs a program without output, and returns its exit status, or nil if it can't be run.
func run(_ arguments: [String]) -> Int32? {
    // Foundation's `Process` detects the end up to 50 ms late.
    var pid = pid_t()
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    guard posix_spawn(&pid, arguments[0], nil, nil, &words, environ) == 0 else { return nil }
    var status: Int32 = 0
    guard waitpid(pid, &status, 0) == pid else { return nil }
    return status
}

// launch-timer RUNS PROGRAM ARGUMENTS…: runs a program repeatedly and prints the median time from its start to its end,
// in milliseconds, to the standard error. The program's own output is printed to the standard output.
let arguments = CommandLine.arguments
guard arguments.count > 2, let runs = Int(arguments[1]), runs > 0 else {
    print("launch-timer RUNS PROGRAM ARGUMENTS…")
    exit(2)
}
var times: [Double] = []
for _ in 0..<runs {
    var status: Int32?
    let time = ContinuousClock().measure { status = run(Array(arguments.dropFirst(2))) }
    guard status == 0 else {
        print("\(arguments[2]) failed")
        exit(1)
    }
    times.append(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3)
}
FileHandle.standardError.write(Data(String(format: "%.1f\n", times.sorted()[runs / 2]).utf8))

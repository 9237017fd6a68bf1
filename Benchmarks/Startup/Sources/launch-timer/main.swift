// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

// launch-timer RUNS PROGRAM ARGUMENTS…: runs a program again and again and prints the median time from its start to its
// end, in milliseconds.
let arguments = CommandLine.arguments
guard arguments.count > 2, let runs = Int(arguments[1]), runs > 0 else {
    print("launch-timer RUNS PROGRAM ARGUMENTS…")
    exit(2)
}
var times: [Double] = []
for _ in 0..<runs {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: arguments[2])
    process.arguments = Array(arguments.dropFirst(3))
    process.standardOutput = FileHandle.nullDevice
    let time = try ContinuousClock().measure {
        try process.run()
        process.waitUntilExit()
    }
    guard process.terminationStatus == 0 else {
        print("\(arguments[2]) failed")
        exit(1)
    }
    times.append(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3)
}
print(String(format: "%.1f", times.sorted()[runs / 2]))

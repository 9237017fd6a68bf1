// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import AllocationCount
import Foundation

/// The counters of this machine other than time.
enum Counters {
    static let countsAllocations = allocation_count_is_available()
    /// Threads that exist at the first use aren't counted, so use it early.
    static let countsInstructions = instruction_count_open()

    struct Counts {
        var allocations: Int?
        var instructions: Int?
    }

    /// Counts the allocations and instructions of `work` in all threads.
    static func counting<Result>(_ work: () throws -> Result) rethrows -> (Result, Counts) {
        let before = instruction_count_read()
        allocation_count_start()
        let result: Result
        do {
            result = try work()
        } catch {
            _ = allocation_count_stop()
            throw error
        }
        let allocations = Int(allocation_count_stop())
        let instructions = Int(instruction_count_read() - before)
        return (
            result,
            Counts(
                allocations: countsAllocations ? allocations : nil,
                instructions: countsInstructions ? instructions : nil)
        )
    }

    /// Restarts the measurement of `peakMemory`. Without support in the kernel, it covers the whole process.
    static func resetPeakMemory() {
        #if os(Linux)
            guard let file = fopen("/proc/self/clear_refs", "w") else { return }
            fputs("5", file)
            fclose(file)
        #endif
    }

    /// The maximum resident memory in bytes, including mapped parts of files.
    static var peakMemory: Int {
        #if os(Linux)
            guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
                let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
            else { return 0 }
            return (Int(kilobytes) ?? 0) * 1024
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Int(usage.ru_maxrss)
        #endif
    }

    static var machine: String {
        let cores = "\(ProcessInfo.processInfo.activeProcessorCount) cores"
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
            let name = line.split(separator: ":").last
        else { return cores }
        return name.trimmingCharacters(in: .whitespaces) + ", " + cores
    }
}

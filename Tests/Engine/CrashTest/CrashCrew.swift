// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport

/// The threads that share the jobs. `lock` guards their shared state.
final class CrashCrew: @unchecked Sendable {
    private static let imagesPerRun = 250
    private static let seedsPerWorkload: UInt64 = 20

    /// One recording with its images, which follow from its number and the seed alone.
    private struct Job: Sendable {
        let number: Int
        let run: CrashRun
        let isExhaustive: Bool
    }

    private let options: CrashOptions
    private let jobs: [Job]
    private let lock = Lock()
    private var next = 0
    private var images = 0
    private var deepImages = 0
    private var byName: [String: Int] = [:]
    private var extents: [String] = []
    private var failures = 0

    init(_ options: CrashOptions) {
        self.options = options
        jobs = options.isExhaustive ? CrashCrew.exhaustiveJobs(options) : CrashCrew.randomJobs(options)
    }

    private static func exhaustiveJobs(_ options: CrashOptions) -> [Job] {
        let runs = options.configurations.flatMap { configuration in
            options.workloads.filter(\.isSmall).flatMap { workload in
                (0..<seedsPerWorkload).map { CrashRun(workload, configuration, seed: options.seed &+ $0) }
            }
        }
        return runs.enumerated().map { Job(number: $0, run: $1, isExhaustive: true) }
    }

    private static func randomJobs(_ options: CrashOptions) -> [Job] {
        let count = (options.images + imagesPerRun - 1) / imagesPerRun
        let total = options.workloads.reduce(0) { $0 + $1.share }
        let numbers = options.run.map { [$0] } ?? Array(0..<count)
        return numbers.map { number in
            var generator = SeededGenerator(seed: options.seed &+ UInt64(number) &* 0x9E37_79B9)
            var ticket = generator.below(total)
            let workload = options.workloads.first {
                ticket -= $0.share
                return ticket < 0
            }
            let configuration = options.configurations[number % options.configurations.count]
            let run = CrashRun(workload ?? options.workloads[0], configuration, seed: generator.next())
            return Job(number: number, run: run, isExhaustive: false)
        }
    }

    /// Runs all jobs and prints the problems found; true if there were no problems.
    func run() -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        let group = DispatchGroup()
        for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) {
            group.enter()
            Thread.detachNewThread {
                self.work(since: start)
                group.leave()
            }
        }
        group.wait()
        for line in extents.sorted() { show(line) }
        for (name, count) in byName.sorted(by: { $0.key < $1.key }) { show("  \(name): \(count)") }
        report(start.duration(to: clock.now))
        return failures == 0
    }

    private func work(since start: ContinuousClock.Instant) {
        while let job = lock.locked({ take() }) {
            autoreleasing {
                do {
                    let verifier = try CrashVerifier()
                    let line = try perform(job, with: verifier)
                    lock.locked { finish(job, verifier, line, start) }
                } catch {
                    lock.locked { fail(job, error) }
                }
            }
        }
    }

    private func take() -> Job? {
        guard next < jobs.count, failures < 10 else { return nil }
        defer { next += 1 }
        return jobs[next]
    }

    private func perform(_ job: Job, with verifier: CrashVerifier) throws -> String? {
        guard job.isExhaustive else {
            try job.run.tryRandomImages(CrashCrew.imagesPerRun, with: verifier)
            return nil
        }
        let extent = try job.run.tryEveryImage(with: verifier)
        return """
            every image of \(job.run.workload.name) (\(job.run.configuration.name)), seed \(job.run.seed): \
            \(extent.images), of \(extent.completeMoments) moments completely, of \(extent.boundedMoments) within bounds
            """
    }

    private func finish(_ job: Job, _ verifier: CrashVerifier, _ line: String?, _ start: ContinuousClock.Instant) {
        let before = images
        images += verifier.imageCount
        deepImages += verifier.deepCount
        byName["\(job.run.workload.name) (\(job.run.configuration.name))", default: 0] += verifier.imageCount
        if let line { extents.append(line) }
        if images / 100_000 > before / 100_000 { report(start.duration(to: ContinuousClock().now)) }
    }

    private func fail(_ job: Job, _ error: any Error) {
        failures += 1
        let again = job.isExhaustive ? "--exhaustive" : "--run \(job.number)"
        let only = options.workloads.count == 1 ? " --workload \(job.run.workload.name)" : ""
        let how =
            options.configurations.count == 1 && CrashConfiguration.all.count > 1
            ? " --\(job.run.configuration.name)" : ""
        show(
            """
            FAILED: \(job.run.workload.name) (\(job.run.configuration.name)): \(error)
              again: Scripts/crash-test --seed \(options.seed)\(only)\(how) \(again)
            """)
    }

    private func report(_ time: Duration) {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
        show(
            """
            \(images) images (\(deepImages) of them read in full), seed \(options.seed), \(failures) failures, \
            \(Int(seconds)) s, \(Int(Double(images) / max(seconds, 0.001))) images/s
            """)
    }

    private func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private func autoreleasing(_ body: () -> Void) {
        #if canImport(Darwin)
            autoreleasepool(invoking: body)
        #else
            body()
        #endif
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The servers, clients, and files that a test uses until its end.
///
/// Unchecked `Sendable`: `lock` guards the steps.
public final class TestCleanup: @unchecked Sendable {
    public typealias Step = @Sendable () async throws -> Void

    @TaskLocal private static var current: TestCleanup?
    private let lock = NSLock()
    private var steps: [Step] = []

    /// Runs a test, and then the steps added meanwhile, the last one first. The scope of a suite's tests.
    @Sendable public static func perform(_ test: @Sendable () async throws -> Void) async throws {
        let cleanup = TestCleanup()
        do { try await $current.withValue(cleanup) { try await test() } } catch {
            try? await cleanup.run()
            throw error
        }
        try await cleanup.run()
    }

    /// Adds a step to the current test. Has no effect elsewhere, such as in a program.
    public static func add(_ step: @escaping Step) {
        guard let current else { return }
        current.lock.withLock { current.steps.append(step) }
    }

    /// Keeps an object until the end of the current test.
    public static func keep(_ object: any AnyObject & Sendable) { add { withExtendedLifetime(object) {} } }

    private func run() async throws {
        var failure: (any Error)?
        while let step = lock.withLock({ steps.popLast() }) {
            do { try await step() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// Runs each test of a suite within a function.
package struct ScopeTrait: SuiteTrait, TestTrait, TestScoping {
    package typealias Scope = @Sendable (@Sendable () async throws -> Void) async throws -> Void

    fileprivate let scope: Scope
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws { try await scope(function) }
}

extension Trait where Self == ScopeTrait {
    package static func scope(_ scope: @escaping ScopeTrait.Scope) -> ScopeTrait { ScopeTrait(scope: scope) }
}

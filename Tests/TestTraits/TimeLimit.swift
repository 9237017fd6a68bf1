// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

extension Trait where Self == TimeLimitTrait {
    /// The time limit of tests that would hang, or take quadratic time, if their subject were wrong. It is generous,
    /// so that a busy machine doesn't exceed it: speed is measured by the benchmarks.
    package static var timeLimited: Self { .timeLimit(.minutes(30)) }
}

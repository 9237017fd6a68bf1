// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Observation)
    import Observation
    import RealmStorage
    import RealmSystem

    /// The root type of the key paths that are registered with Observation. The subscripts' arguments distinguish the
    /// reads.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private final class Reads: Observable, Sendable {
        subscript(mark: ReadMark) -> Int { 0 }
        subscript(question: Question) -> Int { 0 }
    }

    /// Detects whether any code is tracking reads: only then does Observation hash a key path.
    private struct Question: Hashable {
        let answers = RelaxedCounter()

        static func == (lhs: Question, rhs: Question) -> Bool { lhs.answers === rhs.answers }

        func hash(into hasher: inout Hasher) {
            answers.increment()
            hasher.combine(ObjectIdentifier(answers))
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    final class ObservationTracker: ReadTracker {
        private let registrar = ObservationRegistrar()
        private let reads = Reads()
        private let answers: RelaxedCounter
        private let question: KeyPath<Reads, Int>
        private var marks: [Subject: Weak<ReadMark>] = [:]
        /// The number of marks at which those without an observation are removed.
        private var limit = 64
        private var queryCount = 0
        /// Reads of deleted objects, which are notified after the observers.
        private var deleted: [ReadMark] = []
        /// The version that the instance showed at the last check; nil if it didn't show a version.
        private var base: ObservedVersion?

        override init() {
            let question = Question()
            answers = question.answers
            self.question = \Reads[question]
        }

        override var isTracking: Bool {
            let before = answers.value
            registrar.access(reads, keyPath: question)
            return answers.value != before
        }

        // MARK: Reads

        override func read(_ subject: Subject, in instance: RealmInstance) {
            let mark = mark(subject, instance) { ReadMark(subject, isBaseless: $0 == nil) }
            registrar.access(reads, keyPath: \Reads[mark])
        }

        override func read(
            query number: inout Int, deep: Bool, in instance: RealmInstance, _ query: () -> ObservedQuery
        ) {
            if number == 0 {
                queryCount += 1
                number = queryCount
            }
            let subject = Subject.query(number, deep: deep)
            let mark = mark(subject, instance) { ReadMark(subject, isBaseless: $0 == nil, query()) }
            registrar.access(reads, keyPath: \Reads[mark])
        }

        private func mark(
            _ subject: Subject, _ instance: RealmInstance, _ make: (ObservedVersion?) -> ReadMark
        ) -> ReadMark {
            let version = shown(by: instance)
            // Observations of marks from another version are notified before the new version becomes the base.
            if let base, let version, base.number != version.number { moved(instance) }
            if let known = marks[subject]?.object {
                if version == nil { known.isBaseless = true }
                return known
            }
            if marks.count >= limit {
                marks = marks.filter { $0.value.object != nil }
                limit = max(64, marks.count * 2)
            }
            // Comparisons begin at the base, so it must be the version that the instance shows.
            if version != nil { base = version }
            let mark = make(version)
            marks[subject] = Weak(object: mark)
            return mark
        }

        private func shown(by instance: RealmInstance) -> ObservedVersion? {
            instance.reader.reading(nil) { try instance.shownVersion(like: base) }
        }

        // MARK: Changes

        override func moved(_ instance: RealmInstance) {
            let waiting = marks.values.compactMap(\.object)
            guard !waiting.isEmpty else {
                marks = [:]
                return base = nil
            }
            let version = shown(by: instance)
            let changed = changed(waiting, version, instance)
            base = version
            notify(changed)
        }

        private func notify(_ marks: [ReadMark]) {
            for mark in marks { registrar.withMutation(of: reads, keyPath: \Reads[mark]) {} }
        }

        override func observersWereNotified() {
            let marks = deleted
            deleted = []
            notify(marks)
        }

        override func forgetVersion() {
            base = nil
            for mark in marks.values { mark.object?.forgetVersion() }
        }

        private func changed(
            _ waiting: [ReadMark], _ version: ObservedVersion?, _ instance: RealmInstance
        ) -> [ReadMark] {
            guard let base, let version else { return waiting }
            if base.number == version.number { return waiting.filter(\.isBaseless) }
            return instance.reader.reading(waiting) {
                let changes = try ObservedChanges(from: base, to: version)
                let changed = try waiting.filter { try $0.isBaseless || $0.hasChanged(changes) }
                guard instance.delivery.isBehind(version.number) else { return changed }
                let late = try Set(changed.filter { try !$0.isBaseless && $0.isDeleted(changes) })
                deleted += late
                return changed.filter { !late.contains($0) }
            }
        }
    }
#endif

extension RealmInstance {
    /// The version that is shown; nil within a write that has changed something, and after `invalidate()`.
    ///
    /// Unlike the version for observers, it may not be durable yet. Returns `known` if it is the same version.
    fileprivate func shownVersion(like known: ObservedVersion?) throws -> ObservedVersion? {
        if let transaction = reader.transaction {
            guard !transaction.clock.hasRecorded else { return nil }
            if let known, known.number == transaction.baseVersion { return known }
            let snapshot = try reader.database.snapshot(label: ObservedVersion.label)
            guard snapshot.version == transaction.baseVersion else { return nil }
            return ObservedVersion(snapshot, like: reader)
        }
        guard let snapshot = reader.snapshot else { return nil }
        if let known, known.number == snapshot.version { return known }
        return ObservedVersion(try snapshot.again(label: ObservedVersion.label), like: reader)
    }
}

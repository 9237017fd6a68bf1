// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension Realm.Configuration {
    /// The settings of reads. An addition to Realm's API.
    ///
    /// ```swift
    /// configuration.access.invalidated = .trap
    /// ```
    public struct Access: Sendable, Hashable {
        /// The behavior when a property of a deleted object is read.
        public enum Invalidated: Sendable {
            /// The read returns the type's empty value, and is logged once for each class and property.
            case emptyValue
            /// The read traps.
            case trap
        }

        /// The behavior when a property of a deleted object is read. Writing to a deleted object always traps.
        public var invalidated = Invalidated.emptyValue

        /// A Boolean value that indicates whether Swift's Observation tracks reads of live objects and collections.
        /// `withObservationTracking` calls its `onChange` when a property, a collection or a query that was read within
        /// it changes, after a write here, elsewhere or in another process.
        ///
        /// ```swift
        /// withObservationTracking { label.text = dog.name } onChange: { … }
        /// ```
        ///
        /// `onChange` is called once, on the Realm's thread, queue or actor, after the write, when the Realm reads the
        /// new state. A query counts as changed when elements are inserted, deleted or moved; an aggregate of a query
        /// also when elements are modified.
        ///
        /// A tracked read takes a few nanoseconds longer even if nothing is observed. On Linux, where the use of
        /// Observation can be detected, the default is therefore true only in programs that use it; on Apple's
        /// platforms the default is true.
        public var tracksReads = ReadTracker.isWanted

        /// Creates the default settings.
        public init() {}
    }

    /// A Boolean value that indicates whether Swift's Observation tracks reads of live objects and collections.
    @available(*, deprecated, renamed: "access.tracksReads")
    public var tracksReads: Bool {
        get { access.tracksReads }
        set { access.tracksReads = newValue }
    }
}

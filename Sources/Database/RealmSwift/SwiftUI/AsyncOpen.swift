// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
        import SwiftUI
    #else
        import RegnumCombine
        import RealmSwift
        import RegnumUI
    #endif

    /// A property wrapper that opens a synchronised Realm for a view, after downloading all of the server's data.
    /// Opening fails without a connection.
    ///
    /// ```swift
    /// struct TeamView: View {
    ///     @AsyncOpen(appId: "notes", partitionValue: "team-1", timeout: 4000) var opening
    ///
    ///     var body: some View {
    ///         switch opening {
    ///         case .connecting: ProgressView()
    ///         case .waitingForUser: LoginView()
    ///         case .progress(let progress): ProgressView(progress)
    ///         case .open(let realm): NotesView().environment(\.realm, realm)
    ///         case .error(let error): Text("\(error)")
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// When another user logs in, or the environment has another `partitionValue`, the Realm of that user or partition
    /// is opened. Use the wrapper on the main actor.
    @MainActor @preconcurrency @propertyWrapper public struct AsyncOpen: DynamicProperty {
        private var opening: OpeningProperty

        /// Creates a property that opens the Realm with the data of a partition.
        ///
        /// - Parameters:
        ///   - appId: The app's identifier, or nil for the only app of the process.
        ///   - partitionValue: The value that selects the partition of the server's data.
        ///   - configuration: The configuration that specifies the classes and the file, or nil for that of the
        ///     environment.
        ///   - timeout: The maximum time to establish a connection, in milliseconds, or nil for the app's own limit.
        public init<Partition: BSON>(
            appId: String? = nil, partitionValue: Partition, configuration: Realm.Configuration? = nil,
            timeout: UInt? = nil
        ) {
            opening = OpeningProperty(
                request: OpeningRequest(
                    appId: appId, partition: AnyBSON(partitionValue), configuration: configuration, timeout: timeout,
                    takesLocalFile: false, name: "AsyncOpen"))
        }

        /// Creates a property that opens the Realm of the given configuration, or of the environment's configuration.
        ///
        /// A configuration of `User.flexibleSyncConfiguration` opens the Realm after its newest subscriptions are
        /// complete, including the initial ones.
        ///
        /// - Precondition: The configuration has a `syncConfiguration`, or the environment has a `partitionValue`.
        public init(appId: String? = nil, configuration: Realm.Configuration? = nil, timeout: UInt? = nil) {
            opening = OpeningProperty(
                request: OpeningRequest(
                    appId: appId, partition: nil, configuration: configuration, timeout: timeout,
                    takesLocalFile: false, name: "AsyncOpen"))
        }

        /// The state of the opening.
        public var wrappedValue: AsyncOpenState { opening.state }

        /// A publisher of the state of the opening.
        public var projectedValue: Published<AsyncOpenState>.Publisher { opening.states }

        /// Cancels the opening. The state no longer changes.
        public func cancel() { opening.cancel() }

        nonisolated public func update() {
            MainActor.assumeIsolated { opening.begin() }
        }
    }
#endif

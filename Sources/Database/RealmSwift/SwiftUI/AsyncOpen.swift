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

    /// Opens a synchronised Realm for a view after all of the server's data is downloaded. Fails without a connection.
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
    /// The opening restarts for another user or another `partitionValue` of the environment. Use it on the main actor.
    @MainActor @preconcurrency @propertyWrapper public struct AsyncOpen: DynamicProperty {
        private var opening: OpeningProperty

        /// Creates an opening of the data of a partition.
        ///
        /// - Parameters:
        ///   - appId: The app's identifier, or nil for the only app of the process.
        ///   - partitionValue: The value that selects the data.
        ///   - configuration: The classes and the file, or nil for those of the environment's configuration.
        ///   - timeout: The limit for connecting, in milliseconds, or nil for the app's own limit.
        public init<Partition: BSON>(
            appId: String? = nil, partitionValue: Partition, configuration: Realm.Configuration? = nil,
            timeout: UInt? = nil
        ) {
            opening = OpeningProperty(
                request: OpeningRequest(
                    appId: appId, partition: AnyBSON(partitionValue), configuration: configuration, timeout: timeout,
                    takesLocalFile: false, name: "AsyncOpen"))
        }

        /// Creates an opening of the Realm of the configuration, or of the environment's configuration.
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

        /// Publishes the state of the opening.
        public var projectedValue: Published<AsyncOpenState>.Publisher { opening.states }

        /// Cancels the opening. The state doesn't change any more.
        public func cancel() { opening.cancel() }

        nonisolated public func update() {
            MainActor.assumeIsolated { opening.begin() }
        }
    }
#endif

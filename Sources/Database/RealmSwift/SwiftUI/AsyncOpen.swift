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

    /// Opens a synchronised Realm for a view once all that the server has is there; without a connection that fails.
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
    /// Another user that logs in, and another `partitionValue` of the environment, begin anew. Used on the main actor.
    @MainActor @preconcurrency @propertyWrapper public struct AsyncOpen: DynamicProperty {
        private var opening: OpeningProperty

        /// Opens the data of a partition.
        ///
        /// - Parameters:
        ///   - appId: The app; nil for the only one of the process.
        ///   - partitionValue: What selects the data.
        ///   - configuration: The classes and the file; nil for those of the environment.
        ///   - timeout: How long a connection may take to be made, in milliseconds; nil for the app's own limit.
        public init<Partition: BSON>(
            appId: String? = nil, partitionValue: Partition, configuration: Realm.Configuration? = nil,
            timeout: UInt? = nil
        ) {
            opening = OpeningProperty(
                request: OpeningRequest(
                    appId: appId, partition: AnyBSON(partitionValue), configuration: configuration, timeout: timeout,
                    takesLocalFile: false, name: "AsyncOpen"))
        }

        /// Opens what the configuration, or the environment, says.
        ///
        /// - Precondition: That has a `syncConfiguration`, or the environment has a `partitionValue`.
        public init(appId: String? = nil, configuration: Realm.Configuration? = nil, timeout: UInt? = nil) {
            opening = OpeningProperty(
                request: OpeningRequest(
                    appId: appId, partition: nil, configuration: configuration, timeout: timeout,
                    takesLocalFile: false, name: "AsyncOpen"))
        }

        /// How far the opening is.
        public var wrappedValue: AsyncOpenState { opening.state }

        /// Publishes how far the opening is.
        public var projectedValue: Published<AsyncOpenState>.Publisher { opening.states }

        /// Ends the opening. The state stays as it is.
        public func cancel() { opening.cancel() }

        nonisolated public func update() {
            MainActor.assumeIsolated { opening.begin() }
        }
    }
#endif

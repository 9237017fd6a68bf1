// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime

extension Realm {
    /// The cases in which a synchronised Realm downloads all data before it opens. Local Realms open immediately.
    @frozen public enum OpenBehavior: Sendable {
        /// The Realm opens with its local data, without waiting for a download.
        case never
        /// Downloads all data whenever the Realm opens.
        case always
        /// Downloads all data if no local file exists yet.
        case once
    }

    /// Opens a Realm for the main actor. The file is opened, and migrated if necessary, on another thread, unless it is
    /// open already.
    ///
    /// - Throws: `Realm.Error` if the file can't be opened or doesn't match the models, and `CancellationError`.
    @MainActor public init(
        configuration: Realm.Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior = .never
    ) async throws {
        self.init(try await RealmRegistry.opened(configuration, at: .main, downloadBeforeOpen).instance)
    }

    /// Opens a Realm that is isolated to an actor. The Realm and everything obtained from it can be used only there,
    /// which is checked at run time. The file is opened on another thread, unless it is open already.
    ///
    /// - Throws: `Realm.Error` if the file can't be opened or doesn't match the models, and `CancellationError`.
    public init<A: Actor>(
        configuration: Realm.Configuration = .defaultConfiguration, actor: A, downloadBeforeOpen: OpenBehavior = .never
    ) async throws {
        self.init(try await RealmRegistry.opened(configuration, at: .actor(actor), downloadBeforeOpen).instance)
    }

    /// Opens a Realm that is isolated to the caller's actor. The file is opened on another thread, unless it is open
    /// already.
    ///
    /// - Precondition: The caller is isolated to an actor.
    ///
    /// - Throws: `Realm.Error` if the file can't be opened or doesn't match the models, and `CancellationError`.
    public static func open(
        configuration: Realm.Configuration = .defaultConfiguration,
        _isolation actor: isolated (any Actor)? = #isolation, downloadBeforeOpen: OpenBehavior = .never
    ) async throws -> Realm {
        // Optional because the compiler otherwise rejects calls in an actor's initialiser (row R107).
        guard let actor else { throwRealmException("Realm.open() can only be called in an actor") }
        return Realm(try await RealmRegistry.opened(configuration, at: .actor(actor), downloadBeforeOpen).instance)
    }

    // MARK: Advancing to newer versions

    /// A Boolean value that indicates whether the Realm automatically advances to the newest version after commits made
    /// elsewhere, in this process or another one. The default is true.
    ///
    /// A Realm of the main thread, a queue or an actor advances the next time that the thread, queue or actor runs. A
    /// Realm of another thread advances if the thread's run loop runs, from the first observation or asynchronous write
    /// on, and otherwise only in `refresh()` and `beginWrite()`. A frozen Realm never advances: setting this property
    /// to true traps.
    public var autorefresh: Bool {
        get {
            instance.verifyThread()
            return instance.delivery.autorefresh
        }
        nonmutating set {
            if isFrozen {
                if newValue { throwRealmException("Auto-refresh cannot be enabled for frozen Realms.") }
                return
            }
            instance.delivery.setAutorefresh(newValue)
        }
    }

    /// Advances to the newest version. Returns whether the version changed; false during a write, and if the task was
    /// cancelled.
    ///
    /// - Precondition: The Realm is confined to the main thread or to an actor.
    @discardableResult
    public func asyncRefresh(_isolation: isolated any Actor = #isolation) async -> Bool {
        if !instance.confinement.isActor {
            throwRealmException("asyncRefresh() can only be called on main thread or actor-isolated Realms")
        }
        instance.verifyThread()
        return Task.isCancelled ? false : instance.refresh()
    }

    /// Waits until a newer version exists, and advances to it unless `autorefresh` is off. Doesn't poll while waiting.
    /// An addition to Realm's API.
    ///
    /// - Precondition: The Realm is confined to the main thread or to an actor.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitForChange(_isolation actor: isolated any Actor = #isolation) async throws {
        if !instance.confinement.isActor {
            throwRealmException("waitForChange() can only be called on main thread or actor-isolated Realms")
        }
        instance.verifyThread()
        let waiter = ChangeWaiter()
        instance.delivery.waiters.append(waiter)
        // A newer version may exist already.
        instance.delivery.port?.wake()
        let changed = await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { waiter.start($0) }
        } onCancel: {
            waiter.resume(false)
        }
        instance.delivery.waiters.removeAll { $0 === waiter }
        if !changed { throw CancellationError() }
    }
}

extension Confinement {
    /// The main actor is the main queue.
    static func actor(_ actor: any Actor) -> Confinement {
        actor === MainActor.shared ? .main : .actor(ActorMark.of(actor))
    }
}

extension RealmRegistry {
    /// Opens the instance of a confinement and returns it in a form that can be sent there.
    fileprivate static func opened(
        _ configuration: Realm.Configuration, at place: Confinement, _ behavior: Realm.OpenBehavior
    ) async throws -> ConfinedReference<RealmInstance> {
        do {
            let downloads =
                switch behavior {
                case .never: false
                case .once: configuration.isSynchronised && !Realm.fileExists(for: configuration)
                case .always: true
                }
            let coordinator = try await coordinatorInBackground(downloads ? configuration.downloading : configuration)
            if downloads { try await coordinator.synchronisedFile?.waitForDownload() }
            return try withExtendedLifetime(coordinator) {
                ConfinedReference(instance: try instance(configuration, at: place))
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as SyncError {
            throw error
        } catch {
            throw Realm.Error(error)
        }
    }
}

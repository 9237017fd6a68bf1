// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmStorage
import RealmSync
import RealmSyncCore

/// The session of a synchronised file.
///
/// It runs while a Realm of the file is open, and afterwards until the server has all committed changes. `database` and
/// `sync` are immutable, `summary` and `usedConnection` have their own locks, and all other state is confined to the
/// queue of the user's connections.
final class SynchronisedFile: SyncSessionWork, FileSynchronisation, @unchecked Sendable {
    /// The state that can be read from any thread.
    struct Summary {
        var state = SyncSession.State.active
        var connection = SyncSession.ConnectionState.disconnected
        var coordinator = Weak<RealmCoordinator>(object: nil)
        var session = Weak<SyncSession>(object: nil)
        var database: Database?
        /// The number of times that the file has started over with another schema version.
        var restarts = 0
    }

    enum Phase: Equatable {
        case unopened
        /// The session is running, waiting for the network, or following the process that synchronises the file.
        case active
        case suspended
        case failed
        case loggedOut
        case resetting
        case over

        var state: SyncSession.State {
            switch self {
            case .unopened, .active, .resetting: .active
            case .suspended, .failed, .loggedOut, .over: .inactive
            }
        }
    }

    let sync: SyncConfiguration
    let path: String
    let realmConfiguration: Realm.Configuration
    let partition: String
    let usedConnection: Locked<SyncConnection>
    /// The former partition of a file with subscriptions; nil for others.
    var migration: PartitionMigration?
    let summary: Locked<Summary>
    private var store: FileClientStore?
    private var wasUploaded = false
    var phase = Phase.unopened
    /// The session on the connection; nil while another process synchronises the file.
    var session: UInt64?
    var agency: SyncAgency?
    private var loggedAgencyError = ""
    /// The mark most recently requested on behalf of another process, and the number of that process's request.
    var served: (mark: UInt64, request: UInt64)?
    private let connectionListeners = ChangeListeners<SyncSession.ConnectionState>()
    private var waits: [TransferWait] = []
    var subscriptionWaits: [SubscriptionWait] = []
    private let lastWait = Locked(0)
    private var observers: [TransferObserver] = []
    private var lastObserver = 0
    /// Whether no Realm of the file is open. The file closes as soon as the server has its changes.
    private var isClosing = false
    private var unsubscribe: (@Sendable () -> Void)?
    var copy: FreshCopy?
    /// Whether a reset is complete except for the first transfers after it.
    var hasReset: Bool
    var hasDownloaded = false
    /// The schema version that the session states.
    private(set) var schemaVersion: UInt64
    /// The mark after which the file can start over for another schema version; nil unless the server requires that.
    var schemaMark: UInt64?

    /// The interval, in milliseconds, at which a process tries to take over from the one that synchronised the file.
    private static let takeOverPeriod = 1000

    init(_ database: Database, _ configuration: Realm.Configuration, _ sync: SyncConfiguration) {
        realmConfiguration = configuration
        schemaVersion = configuration.schemaVersion
        self.sync = sync
        partition = sync.partition
        path = database.path
        let migration = sync.isFlexible ? nil : try? PartitionMigration.completed(in: database)
        self.migration = migration
        usedConnection = Locked(sync.user.connection(migration == nil ? sync.mode : .flexible))
        store = FileClientStore(database)
        hasReset = (try? ClientResetRecord.pending(in: database)) != nil
        summary = Locked(Summary(database: database))
        unsubscribe = sync.user.subscribe { [weak self] user in
            self?.queue.async { [weak self] in self?.userDidChange(user) }
        }
        queue.async { [self] in userDidChange(sync.user) }
    }

    deinit { unsubscribe?() }

    var queue: DispatchQueue { sync.user.sessionQueue }

    /// That of the file's mode.
    var connection: SyncConnection { usedConnection.withLock { $0 } }

    /// Whether the file has subscriptions, also those of a former partition.
    var isFlexible: Bool { sync.isFlexible || migration != nil }

    var database: Database? { summary.withLock { $0.database } }

    // MARK: Realms

    func connect(to coordinator: RealmCoordinator) {
        summary.withLock { $0.coordinator = Weak(object: coordinator) }
        coordinator.host.onCommit { [weak self] in self?.didCommit() }
        coordinator.host.watchOtherProcesses()
        let version = coordinator.configuration.schemaVersion
        queue.async { [self] in
            isClosing = false
            use(schemaVersion: version)
        }
    }

    /// A file that was only uploading can be opened with another version.
    private func use(schemaVersion version: UInt64) {
        guard version != schemaVersion else { return }
        schemaVersion = version
        guard isFlexible, session != nil else { return }
        unbind()
        bind()
    }

    /// Called after a commit in this process or another one.
    func didCommit() {
        connection.didCommit()
        queue.async { [self] in
            if !waits.isEmpty { endUploadWaits() }
            endSubscriptionWaits()
            if !observers.isEmpty { notifyObservers() }
        }
    }

    func didCloseRealms() {
        queue.async { [self] in
            isClosing = true
            closeIfUploaded()
        }
    }

    var isUploaded: Bool { store?.isUploaded(through: .max) ?? wasUploaded }

    func closeIfUploaded() {
        guard isClosing, phase != .over else { return }
        // A connection that is lost or can't be established isn't waited for.
        let canUpload = phase == .active && session != nil && connection.state != .disconnected
        if phase == .resetting || canUpload && !isUploaded { return }
        SynchronisedFiles.remove(self)
    }

    /// Called after the last Realm of the file is closed. Changes that aren't uploaded stay in the file.
    func close() {
        guard phase != .over else { return }
        wasUploaded = isUploaded
        enter(.over, TransferWait.cancellation("the file was closed"))
        unsubscribe?()
        store = nil
        agency = nil
        observers = []
        summary.withLock { $0.database = nil }
    }

    // MARK: Phases

    /// - Parameter error: The error that ends pending waits, if any.
    func enter(_ phase: Phase, _ error: (any Error)? = nil) {
        self.phase = phase
        summary.withLock { $0.state = sync.user.state == .removed ? .invalid : phase.state }
        if phase == .active { bind() } else { unbind() }
        if let error {
            endWaits(error) { _ in true }
            endSubscriptionWaits(error)
        }
    }

    /// Tries again later if another process synchronises the file.
    func bind() {
        guard let store, session == nil else { return }
        guard isAgent() else {
            return queue.asyncAfter(deadline: .now() + .milliseconds(Self.takeOverPeriod)) { [weak self] in
                if self?.phase == .active { self?.bind() }
            }
        }
        readMoves()
        _ = subscribeToNewClasses()
        let purpose = hasReset ? SessionPurpose.clientReset : .ordinary
        let flexible = purpose.path(schemaVersion: schemaVersion, migratedPartition: migration?.partition)
        let path = isFlexible ? flexible : partition
        let number = connection.open(store, path: path, self)
        session = number
        setConnectionState(connection.state)
        for index in waits.indices where waits[index].direction == .download {
            waits[index].target = connection.requestMark(number)
        }
        serveRequests()
    }

    /// Another process that synchronised the file may have moved or reset it.
    private func readMoves() {
        guard let database else { return }
        do {
            hasReset = try ClientResetRecord.pending(in: database) != nil
            let found = sync.isFlexible ? nil : try PartitionMigration.completed(in: database)
            if (found == nil) != (migration == nil) { didMove(to: found) }
        } catch {
            sync.user.app.syncManager.log(.warn, "The moves and resets of '\(path)' can't be read: \(error)")
        }
    }

    /// A file that was moved from a partition has a subscription to each class (§5.8). A new class gets the property
    /// for the partition value from the server.
    func subscribeToNewClasses() -> Bool {
        guard let migration, let database else { return false }
        do {
            return try database.subscribe(migration, field: try migration.field()) { ObjectId.generate().bits }
        } catch {
            sync.user.app.syncManager.log(.warn, "The new classes of '\(path)' can't be subscribed to: \(error)")
            return false
        }
    }

    func unbind() {
        if let session { connection.close(session) }
        session = nil
        schemaMark = nil
        served = nil
        hasDownloaded = false
        setConnectionState(.disconnected)
    }

    func userWasRefused(_ error: SyncError) { queue.async { [self] in didLoseUser(error) } }

    private func userDidChange(_ user: User) {
        switch phase {
        case .over, .resetting: break
        case .unopened, .loggedOut:
            if user.isLoggedIn { enter(.active) } else { enter(.loggedOut) }
        case .active, .suspended, .failed:
            if !user.isLoggedIn { enter(.loggedOut, TransferWait.cancellation("the user is not logged in")) }
        }
        closeIfUploaded()
    }

    // MARK: Processes

    /// Whether this process may synchronise the file: it holds the lock, or no other process can open the file.
    private func isAgent() -> Bool {
        if agency == nil {
            agency = database?.syncAgency()
            watchAgency()
        }
        do {
            return try agency?.tryToBecomeAgent() ?? true
        } catch {
            logAgency("The lock of '\(path)' can't be acquired, so the file isn't synchronised: \(error)")
            return false
        }
    }

    /// Tries again after an error, such as too many open files.
    private func watchAgency() {
        do {
            try agency?.watch { [weak self] in self?.queue.async { [weak self] in self?.agencyDidChange() } }
        } catch {
            logAgency("The requests of other processes for '\(path)' can't be watched: \(error)")
            queue.asyncAfter(deadline: .now() + .milliseconds(Self.takeOverPeriod)) { [weak self] in
                self?.watchAgency()
                self?.agencyDidChange()
            }
        }
    }

    /// Logs an error once, not with each attempt.
    private func logAgency(_ text: String) {
        guard text != loggedAgencyError else { return }
        loggedAgencyError = text
        sync.user.app.syncManager.log(.warn, text)
    }

    private func agencyDidChange() {
        guard phase == .active else { return }
        if session != nil { return serveRequests() }
        guard let numbers = requestNumbers() else { return }
        endWaits(nil) { $0.direction == .download && ($0.target ?? .max) <= numbers.fulfilled }
    }

    /// Requests a mark if another process is waiting for all of the server's data.
    func serveRequests() {
        guard let session, let numbers = requestNumbers(),
            numbers.requested > max(numbers.fulfilled, served?.request ?? 0),
            let mark = connection.requestMark(session)
        else { return }
        served = (mark, numbers.requested)
    }

    /// A process waits for each request, so after an error, such as too many open files, it is read again.
    private func requestNumbers() -> (requested: UInt64, fulfilled: UInt64)? {
        do {
            return try agency?.numbers()
        } catch {
            lookAgain()
            return nil
        }
    }

    func fulfil(_ request: UInt64) {
        do {
            try agency?.fulfil(request)
        } catch {
            served = nil
            lookAgain()
        }
    }

    private func lookAgain() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.takeOverPeriod)) { [weak self] in
            self?.agencyDidChange()
        }
    }

    // MARK: Session

    var state: SyncSession.State { summary.withLock { $0.state } }
    var connectionState: SyncSession.ConnectionState { summary.withLock { $0.connection } }

    func setConnectionState(_ state: SyncSession.ConnectionState) {
        let before = summary.withLock { summary in
            defer { summary.connection = state }
            return summary.connection
        }
        if state != before { connectionListeners.notify(state) }
    }

    func observeConnectionState(
        _ function: @escaping @Sendable (SyncSession.ConnectionState) -> Void
    ) -> @Sendable () -> Void {
        connectionListeners.add(function)
    }
    var user: User? { state == .invalid ? nil : sync.user }
    var configuration: SyncConfiguration? { state == .invalid ? nil : sync }

    var syncSession: SyncSession {
        summary.withLock { summary in
            if let session = summary.session.object { return session }
            let session = SyncSession(self)
            summary.session = Weak(object: session)
            return session
        }
    }

    func suspend() {
        // Set immediately, so that `state` is up to date when this returns.
        summary.withLock { if $0.state == .active { $0.state = .inactive } }
        queue.async { [self] in
            guard phase == .unopened || phase == .active || phase == .failed else { return }
            enter(.suspended, TransferWait.cancellation("the session was suspended"))
        }
    }

    func resume() {
        summary.withLock { if $0.state == .inactive, sync.user.isLoggedIn { $0.state = .active } }
        queue.async { [self] in
            if phase == .suspended || phase == .failed, sync.user.isLoggedIn { enter(.active) }
        }
    }

    func reconnect() {
        queue.async { [self] in
            connection.retry()
            if let session { connection.resume(session) }
        }
    }

    func wait(
        _ direction: SyncSession.ProgressDirection, _ block: @escaping @Sendable ((any Error)?) -> Void
    ) -> @Sendable (any Error) -> Void {
        let number = nextWait()
        queue.async { [self] in begin(TransferWait(number: number, direction: direction, block: block)) }
        return { [weak self] error in
            self?.queue.async { [weak self] in self?.cancelWait(number, error) }
        }
    }

    func nextWait() -> Int {
        lastWait.withLock { number in
            number += 1
            return number
        }
    }

    private func begin(_ wait: TransferWait) {
        var wait = wait
        switch phase {
        case .over:
            let isDone = wait.direction == .upload && wasUploaded
            return complete(wait, isDone ? nil : TransferWait.cancellation("the session has ended"))
        case .loggedOut: return complete(wait, TransferWait.loggedOut)
        case .unopened, .active, .suspended, .failed, .resetting: break
        }
        switch wait.direction {
        case .upload: wait.target = store?.state.newestVersion
        case .download:
            if let session {
                wait.target = connection.requestMark(session)
            } else if phase == .active {
                do { wait.target = try agency?.request() } catch { return complete(wait, Realm.Error(error)) }
            }
        }
        waits.append(wait)
        endUploadWaits()
    }

    /// The program's other callbacks may be slow, so this one isn't queued after them.
    private func cancelWait(_ number: Int, _ error: any Error) {
        guard let index = waits.firstIndex(where: { $0.number == number }) else { return }
        waits.remove(at: index).block(error)
    }

    func addProgressNotification(
        _ direction: SyncSession.ProgressDirection, _ mode: SyncSession.ProgressMode,
        _ block: @escaping @Sendable (SyncSession.Progress) -> Void
    ) -> SyncSession.ProgressNotificationToken? {
        guard database != nil else { return nil }
        let number = Locked(0)
        queue.async { [self] in
            lastObserver += 1
            let last = lastObserver
            number.withLock { $0 = last }
            observers.append(TransferObserver(number: lastObserver, direction: direction, mode: mode, block: block))
            notifyObservers()
        }
        return SyncSession.ProgressNotificationToken { [weak self] in
            self?.queue.async { [weak self] in
                let last = number.withLock { $0 }
                self?.observers.removeAll { $0.number == last }
            }
        }
    }

    // MARK: Notifications

    func complete(_ wait: TransferWait, _ error: (any Error)?) {
        connection.callbacks.async { wait.block(error) }
    }

    func endWaits(_ error: (any Error)?, where isEnded: (TransferWait) -> Bool) {
        guard waits.contains(where: isEnded) else { return }
        // The last call of an observer must precede the end of the wait.
        if error == nil, !observers.isEmpty { notifyObservers() }
        for wait in waits where isEnded(wait) { complete(wait, error) }
        waits.removeAll(where: isEnded)
    }

    func endUploadWaits() {
        endWaits(nil) { $0.direction == .upload && store?.isUploaded(through: $0.target ?? .max) ?? false }
    }

    func notifyObservers() {
        guard let transfer = store?.transfer else { return }
        for index in observers.indices {
            if let progress = observers[index].progress(transfer) {
                let block = observers[index].block
                connection.callbacks.async { block(progress) }
            }
        }
        observers.removeAll(where: \.isOver)
    }

    func report(_ error: SyncError) {
        var handler = sync.user.app.syncManager.errorHandler
        if error.code == .clientResetError, case .manual(let own?) = sync.clientResetMode { handler = own }
        sync.user.app.syncManager.log(
            error.code == .serverWarning ? .warn : .error, "Synchronisation of '\(path)': \(error)")
        guard let handler else { return }
        let session = syncSession
        connection.callbacks.async { handler(error, session) }
    }
}

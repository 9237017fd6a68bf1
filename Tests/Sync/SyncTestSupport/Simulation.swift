// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// A server and clients that crash, on a network that delays and loses messages. The seed determines everything.
///
/// At the end connections are stable, and all clients reconnect. The world of the simulation verifies the result.
package final class Simulation {
    private enum Event {
        case client(Int, Moment)
        case clientTimer(Int, ClientTimer, setting: Int)
        case connect(Int, attempt: Int)
        case toServer(Transport, [UInt8])
        case toClient(Transport, [UInt8])
        case clientReceives(Transport)
        case serverTakes(Transport)
        case clientTakes(Transport)
        case clientSeesEnd(Transport)
        case serverSeesEnd(Transport)
        case serverSync(run: Int)
        case serverStarts
        case chaos
        case hostile
    }

    private enum Moment {
        case write
        case sync(run: Int)
        case start
    }

    private final class Transport {
        let number: UInt64
        let client: Int
        var isOpenAtClient = true
        var isOpenAtServer = true
        var isCut = false
        var arrivalAtServer: UInt64 = 0
        var arrivalAtClient: UInt64 = 0
        var arrived: [[UInt8]] = []

        init(_ number: UInt64, _ client: Int) {
            self.number = number
            self.client = client
        }
    }

    private struct Client {
        let file: any SimulatedFile
        var connection: ClientConnection
        /// The effects of the connection, performed in this order and before its next input.
        var effects: [ClientEffect] = []
        var isPerforming = false
        var transport: Transport?
        var attempt = 0
        /// The last setting of each timer, the only valid one.
        var settings: [ClientTimer: Int] = [:]
        var lastSetting = 0
        var isRunning = false
        var isSyncing = false
        var run = 0
        var session: UInt64?
        var fresh: (file: any SimulatedFile, session: UInt64, isComplete: Bool)?
        var skew: Int64
        var pending: [UInt64] = []
        /// The outstanding mark, and the server's version when it was requested.
        var request: (number: UInt64, version: UInt64)?
        /// The server's version that the file is known to include.
        var markedVersion: UInt64?
    }

    package private(set) var report = SimulationReport()
    private var generator: SeededGenerator
    private var queue = EventQueue<Event>()
    private var now: UInt64 = 0
    private var clients: [Client] = []
    private let world: any SimulatedWorld
    private var server: SyncServer?
    private var serverRun = 0
    private var isServerSyncing = false
    private var held: [ServerEffect] = []
    private var transports: [UInt64: Transport] = [:]
    private var lastTransport: UInt64 = 0
    private var lastMark: UInt64 = 0
    private var acknowledged: Set<UInt64> = []
    private var arrived: [UInt64: UInt64] = [:]
    private var isSettling = false
    private let isHostile: Bool
    private let forgetsOften: Bool
    private var honest: [[UInt8]] = []

    /// - Parameters:
    ///   - forgetsOften: Whether the server forgets clients much more often, so that they start again.
    ///   - makeWorld: Makes the world of a seed.
    package init(
        seed: UInt64, isHostile: Bool = false, forgetsOften: Bool = false,
        makeWorld: (UInt64) throws -> any SimulatedWorld = { PartitionWorld(seed: $0) }
    ) throws {
        self.forgetsOften = forgetsOften
        generator = SeededGenerator(seed: seed)
        self.isHostile = isHostile
        world = try makeWorld(generator.next())
        for index in 0..<2 + generator.below(7) {
            let connection = ClientConnection(world.mode, random: SeededGenerator(seed: generator.next()))
            clients.append(
                Client(
                    file: try world.makeFile(of: index), connection: connection,
                    skew: Int64(generator.below(20_000)) - 10_000))
        }
    }

    // MARK: Run

    /// Runs `steps` events, and then until everything has settled.
    package func run(steps: Int) throws {
        startServer()
        for index in clients.indices {
            try world.begin(index, clients[index].file, timestamp: timestamp(index))
            clients[index].file.sync()
            queue.add(.client(index, .start), at: UInt64(generator.below(3000)))
            queue.add(.client(index, .write), at: UInt64(generator.below(3000)))
        }
        queue.add(.chaos, at: 1000)
        if isHostile { queue.add(.hostile, at: 500) }
        try happen(steps)
        isSettling = true
        if server == nil { startServer() }
        for index in clients.indices where !clients[index].isRunning { start(index) }
        var rounds = 0
        while !isSettled {
            rounds += 1
            guard rounds < 200 else { throw Failure("the world does not settle: \(unsettled)") }
            for index in clients.indices {
                if clients[index].isRunning { update(index) { $0.retry() } }
                try syncClient(index)
                requestMark(index)
            }
            try happen(500)
        }
        report.steps = steps
        report.worlds = 1
        try world.verify(clients.map(\.file), acknowledged: acknowledged, &report)
        for client in clients { try client.file.close() }
    }

    private func happen(_ count: Int) throws {
        var rest = count
        while rest > 0, let (time, event) = queue.popFirst() {
            now = max(now, time)
            if case .clientTimer(let index, let timer, let setting) = event,
                clients[index].settings[timer] != setting
            {
                continue
            }
            rest -= 1
            try happen(event)
            if let fault = faults.first { throw Failure("at \(now): \(fault)") }
        }
    }

    /// Errors that no session recovers from.
    private var failures: [String] = []

    private var faults: [String] { world.faults + failures + clients.flatMap { $0.file.faults } }

    private func happen(_ event: Event) throws {
        switch event {
        case .client(let index, .write): try write(index)
        case .client(let index, .sync(let run)):
            if clients[index].run == run, clients[index].isRunning { try syncClient(index) }
        case .client(let index, .start): start(index)
        case .clientTimer(let index, let timer, _):
            clients[index].settings[timer] = nil
            update(index) { $0.fire(timer, now: self.now) }
        case .connect(let index, let attempt): connect(index, attempt)
        case .toServer(let transport, let bytes):
            guard transport.isOpenAtServer, !transport.isCut, server != nil else { return }
            count(bytes, transport.client)
            try shareStores { try world.prepare(transport.number, &$0) }
            server?.receive(bytes, from: transport.number)
            serverWorked()
        case .toClient(let transport, let bytes):
            guard transport.isOpenAtClient, !transport.isCut else { return }
            transport.arrived.append(bytes)
            guard transport.arrived.count == 1 else { return }
            queue.add(.clientReceives(transport), at: generator.chance(50) ? now : delay(300))
        case .clientReceives(let transport): receive(transport)
        case .serverTakes(let transport):
            guard transport.isOpenAtServer else { return }
            server?.didSend(transport.number)
            serverWorked()
        case .clientTakes(let transport):
            if transport.isOpenAtClient { update(transport.client) { $0.didSend() } }
        case .clientSeesEnd(let transport):
            receive(transport)
            guard transport.isOpenAtClient else { return }
            transport.isOpenAtClient = false
            clients[transport.client].transport = nil
            update(transport.client) { $0.didDisconnect(.retry) }
        case .serverSeesEnd(let transport): endAtServer(transport)
        case .serverSync(let run): if run == serverRun { try syncServer() }
        case .serverStarts: if server == nil { startServer() }
        case .chaos: try chaos()
        case .hostile: hostile()
        }
    }

    private func receive(_ transport: Transport) {
        guard transport.isOpenAtClient, !transport.isCut else { return }
        let messages = transport.arrived
        if messages.isEmpty { return }
        transport.arrived = []
        update(transport.client) { $0.receive(messages, now: self.now) }
    }

    private func count(_ bytes: [UInt8], _ index: Int) {
        guard bytes.starts(with: Array("upload".utf8)), let file = clients[index].file.state.file,
            case .upload(let upload)? = try? ClientMessage(bytes, mode: world.mode)
        else { return }
        for entry in upload.entries {
            if entry.clientVersion <= arrived[file.ident, default: 0] { report.duplicates += 1 }
            arrived[file.ident] = max(arrived[file.ident, default: 0], entry.clientVersion)
        }
    }

    private func delay(_ greatest: Int) -> UInt64 { now + 1 + UInt64(generator.below(greatest)) }

    // MARK: Clients

    private func timestamp(_ index: Int) -> UInt64 { UInt64(max(1, 1_000_000 + Int64(now) + clients[index].skew)) }

    private func write(_ index: Int) throws {
        if isSettling { return }
        queue.add(.client(index, .write), at: delay(generator.chance(70) ? 60 : 5000))
        guard clients[index].isRunning else { return }
        lastMark += 1
        let isMarked = try world.write(
            mark: lastMark, index, clients[index].file, timestamp: timestamp(index), &generator)
        if isMarked { clients[index].pending.append(lastMark) }
        try shareStores { try world.request(index, &$0) }
        serverWorked()
        if !clients[index].isSyncing {
            clients[index].isSyncing = true
            queue.add(.client(index, .sync(run: clients[index].run)), at: delay(20))
        }
    }

    private func syncClient(_ index: Int) throws {
        clients[index].isSyncing = false
        clients[index].file.sync()
        acknowledge(index)
        update(index) { $0.didCommit() }
    }

    private func acknowledge(_ index: Int) {
        report.commits += clients[index].pending.count
        acknowledged.formUnion(clients[index].pending)
        clients[index].pending = []
    }

    private func start(_ index: Int) {
        guard !clients[index].isRunning else { return }
        clients[index].isRunning = true
        clients[index].connection = ClientConnection(world.mode, random: SeededGenerator(seed: generator.next()))
        openSession(index, .ordinary)
    }

    private func openSession(_ index: Int, _ purpose: SessionPurpose) {
        let (file, path) = (clients[index].file, world.path(purpose))
        clients[index].request = nil
        clients[index].session = update(index) { $0.open(file, path: path) }
    }

    private func requestMark(_ index: Int) {
        guard let session = clients[index].session else { return }
        let version = world.newestVersion
        guard clients[index].request.map({ $0.version < version }) ?? true else { return }
        guard let number = update(index, { $0.requestMark(session) }) else { return }
        clients[index].request = (number, version)
    }

    private func crashClient(_ index: Int) {
        guard clients[index].isRunning else { return }
        report.clientCrashes += 1
        report.lostCommits += clients[index].pending.count
        clients[index].file.crash()
        clients[index].pending = []
        clients[index].isRunning = false
        clients[index].isSyncing = false
        clients[index].run += 1
        clients[index].settings = [:]
        clients[index].session = nil
        clients[index].fresh = nil
        clients[index].attempt += 1
        if let transport = clients[index].transport {
            clients[index].transport = nil
            transport.isOpenAtClient = false
            queue.add(.serverSeesEnd(transport), at: delay(generator.chance(50) ? 50 : 20_000))
        }
    }

    @discardableResult
    private func update<Result>(_ index: Int, _ body: (inout ClientConnection) -> Result) -> Result {
        let result = body(&clients[index].connection)
        clients[index].effects += clients[index].connection.takeEffects()
        guard !clients[index].isPerforming else { return result }
        clients[index].isPerforming = true
        while !clients[index].effects.isEmpty { perform(clients[index].effects.removeFirst(), index) }
        clients[index].isPerforming = false
        return result
    }

    private func perform(_ effect: ClientEffect, _ index: Int) {
        switch effect {
        case .connect:
            clients[index].attempt += 1
            queue.add(.connect(index, attempt: clients[index].attempt), at: delay(200))
        case .disconnect:
            clients[index].attempt += 1
            guard let transport = clients[index].transport else { return }
            clients[index].transport = nil
            transport.isOpenAtClient = false
            queue.add(.serverSeesEnd(transport), at: delay(500))
        case .send(let bytes):
            guard let transport = clients[index].transport else { return }
            report.messages += 1
            if isHostile, honest.count < 400 { honest.append(bytes) }
            transport.arrivalAtServer = max(transport.arrivalAtServer, delay(100))
            queue.add(.toServer(transport, bytes), at: transport.arrivalAtServer)
            queue.add(.clientTakes(transport), at: delay(10))
        case .setTimer(let timer, let milliseconds):
            clients[index].lastSetting += 1
            clients[index].settings[timer] = clients[index].lastSetting
            queue.add(
                .clientTimer(index, timer, setting: clients[index].lastSetting), at: now + milliseconds)
        case .cancelTimer(let timer): clients[index].settings[timer] = nil
        case .refresh: update(index) { $0.didRefresh() }
        case .integrated(let session, let entries):
            report.downloads += entries
            // The integration made the earlier writes durable.
            if session == clients[index].session { acknowledge(index) }
        case .marked(let session, let request):
            completeFresh(session, index)
            if session == clients[index].session, let own = clients[index].request, own.number <= request {
                clients[index].markedVersion = own.version
                clients[index].request = nil
            }
        case .closed(let session): closed(session, index)
        case .failed(let session, let failure): failed(session, failure, index)
        case .subscriptionsChanged(let session): completeFresh(session, index)
        case .log: break
        }
    }

    private func completeFresh(_ session: UInt64, _ index: Int) {
        guard let fresh = clients[index].fresh, fresh.session == session, !fresh.isComplete,
            world.isComplete(fresh.file)
        else { return }
        clients[index].fresh?.isComplete = true
        update(index) { $0.close(session) }
    }

    // MARK: Resets

    private func failed(_ session: UInt64?, _ failure: ClientFailure, _ index: Int) {
        if failure.code == SessionErrorCode.compensatingWrite.rawValue { report.rejections += 1 }
        if !failure.error.canTryAgain, failure.action != .clientReset { failures.append("client \(index): \(failure)") }
        guard failure.action == .clientReset, let session else { return }
        if session == clients[index].session {
            clients[index].session = nil
            update(index) { $0.close(session) }
            openFresh(index)
        } else if session == clients[index].fresh?.session {
            update(index) { $0.close(session) }
            openFresh(index)
        }
    }

    private func openFresh(_ index: Int) {
        guard let file = try? world.makeCopy(for: clients[index].file) else { preconditionFailure("no file") }
        let path = world.path(.clientReset)
        let session = update(index) { $0.open(file, path: path, mayUpload: false) }
        clients[index].fresh = (file, session, false)
    }

    private func closed(_ session: UInt64, _ index: Int) {
        guard let fresh = clients[index].fresh, fresh.session == session, fresh.isComplete else { return }
        clients[index].fresh = nil
        report.resets += 1
        let isDiscarding = generator.chance(25) && hasAllClasses(fresh.file, of: clients[index].file)
        if isDiscarding { discard(index) }
        do {
            try clients[index].file.reset(to: fresh.file, discarding: isDiscarding) { changeset, state in
                guard let mark = SimulatedEditor.mark(of: changeset) else { return }
                report.recovered += 1
                if world.noteRecovered(changeset, mark: mark, on: state) { report.doubled += 1 }
            }
            try world.didReset(index, clients[index].file)
        } catch {
            preconditionFailure("a reset fails: \(error)")
        }
        acknowledge(index)
        openSession(index, .clientReset)
    }

    /// A reset that discards changes is refused if the server hasn't received the classes of the file yet.
    private func hasAllClasses(_ copy: any SimulatedFile, of file: any SimulatedFile) -> Bool {
        let received = copy.model.tables
        return file.model.tables.keys.allSatisfy { received[$0] != nil }
    }

    /// Unacknowledged changes may be lost from now on.
    private func discard(_ index: Int) {
        report.discards += 1
        clients[index].pending = []
        let file = clients[index].file
        for entry in file.uploads(after: file.state.progress.upload.clientVersion, limit: .max).entries {
            guard let changeset = try? Changeset(decoding: entry.changeset),
                let mark = SimulatedEditor.mark(of: changeset), acknowledged.remove(mark) != nil
            else { continue }
            report.discarded += 1
        }
    }

    // MARK: Network

    private func connect(_ index: Int, _ attempt: Int) {
        guard clients[index].attempt == attempt, clients[index].isRunning else { return }
        guard server != nil, isSettling || !generator.chance(10) else {
            return update(index) { $0.didDisconnect(.retry) }
        }
        lastTransport += 1
        let transport = Transport(lastTransport, index)
        world.admit(lastTransport, of: index)
        let name = server?.accept(lastTransport, offers: clients[index].connection.offers)
        transports[lastTransport] = transport
        clients[index].transport = transport
        serverWorked()
        update(index) { $0.didConnect(name) }
    }

    /// Stops deliveries. Each end detects it after a delay.
    private func cut(_ transport: Transport) {
        guard !transport.isCut else { return }
        report.cuts += 1
        transport.isCut = true
        queue.add(.clientSeesEnd(transport), at: delay(generator.chance(70) ? 100 : 30_000))
        queue.add(.serverSeesEnd(transport), at: delay(generator.chance(70) ? 100 : 60_000))
    }

    private func endAtServer(_ transport: Transport) {
        guard transport.isOpenAtServer else { return }
        transport.isOpenAtServer = false
        transports[transport.number] = nil
        server?.didDisconnect(transport.number)
        serverWorked()
    }

    // MARK: Server

    private func startServer() {
        serverRun += 1
        server = SyncServer(world.directory)
    }

    private func serverWorked() {
        var effects = server?.takeEffects() ?? []
        // Messages that arrive during an integration would have to wait.
        while let index = effects.firstIndex(where: { if case .integrate = $0 { true } else { false } }) {
            guard case .integrate(let integration) = effects.remove(at: index) else { break }
            integration.run()
            server?.finish(integration)
            effects += server?.takeEffects() ?? []
        }
        held += effects
        guard !isServerSyncing, !held.isEmpty else { return }
        isServerSyncing = true
        queue.add(.serverSync(run: serverRun), at: delay(5))
    }

    private func shareStores(_ body: (inout SyncServer) throws -> Set<UInt64>) throws {
        guard var current = server else { return }
        server = nil
        let dropped = try body(&current)
        server = current
        guard !dropped.isEmpty else { return }
        report.serverCrashes += 1
        held.removeAll { if case .send(let connection, _) = $0 { dropped.contains(connection) } else { false } }
    }

    private func syncServer() throws {
        try shareStores { try world.follow(&$0) }
        serverWorked()
        isServerSyncing = false
        try world.sync()
        let effects = held
        held = []
        for effect in effects {
            switch effect {
            case .send(let number, let bytes):
                guard let transport = transports[number] else { continue }
                report.messages += 1
                transport.arrivalAtClient = max(transport.arrivalAtClient, delay(100))
                queue.add(.toClient(transport, bytes), at: transport.arrivalAtClient)
                queue.add(.serverTakes(transport), at: delay(10))
            case .close(let number):
                guard let transport = transports[number] else { continue }
                transport.isOpenAtServer = false
                transports[number] = nil
                // Earlier messages arrive before the end of the connection.
                transport.arrivalAtClient = max(transport.arrivalAtClient, delay(100))
                queue.add(.clientSeesEnd(transport), at: transport.arrivalAtClient)
            case .integrate, .setTimer, .sessionError, .log: break
            }
        }
        serverWorked()
    }

    private func crashServer() throws {
        guard server != nil else { return }
        report.serverCrashes += 1
        server = nil
        serverRun += 1
        held = []
        isServerSyncing = false
        try world.crash()
        for number in transports.keys.sorted() {
            guard let transport = transports[number] else { continue }
            transport.isOpenAtServer = false
            transport.isCut = transport.isCut || generator.chance(50)
            queue.add(.clientSeesEnd(transport), at: delay(generator.chance(80) ? 200 : 20_000))
        }
        transports = [:]
        queue.add(.serverStarts, at: delay(generator.chance(80) ? 500 : 20_000))
    }

    // MARK: Random faults

    private func chaos() throws {
        if isSettling { return }
        queue.add(.chaos, at: delay(700))
        let index = generator.below(clients.count)
        if forgetsOften, generator.chance(50) { return generator.chance(50) ? try expire(index) : sendReset(index) }
        for other in try world.disturb(index, &generator).sorted() where other < clients.count {
            if let transport = clients[other].transport { cut(transport) }
        }
        switch generator.below(20) {
        case 0..<6: if let transport = clients[index].transport { cut(transport) }
        case 6..<9:
            crashClient(index)
            queue.add(.client(index, .start), at: delay(3000))
        case 9:
            crashClient(index)
            report.longAbsences += 1
            queue.add(.client(index, .start), at: delay(300_000))
            if generator.chance(50) { try expire(index) }
        case 10, 11: try crashServer()
        case 12: try expire(index)
        case 13: sendReset(index)
        case 14: clients[index].skew += Int64(generator.below(10_000)) - 5000
        case 15:
            // Paused and resumed: another session, which binds before the end of the first one is confirmed.
            guard clients[index].isRunning, let session = clients[index].session else { return }
            update(index) { $0.close(session) }
            openSession(index, .ordinary)
        default: break
        }
    }

    private func expire(_ index: Int) throws {
        guard server != nil, let file = clients[index].file.state.file else { return }
        world.expire(file)
        for _ in 0..<6 {
            world.passTime()
            server?.touchFiles()
            try shareStores { try world.follow(&$0) }
        }
        serverWorked()
    }

    private func sendReset(_ index: Int) {
        guard let transport = clients[index].transport, transport.isOpenAtServer,
            let session = clients[index].session
        else { return }
        server?.fail(session, of: transport.number, SessionError(.divergingHistories, "a reset for no reason"))
        serverWorked()
    }

    /// Separate connections, with their own partitions, send altered copies of honest messages.
    private func hostile() {
        if isSettling { return }
        queue.add(.hostile, at: delay(100))
        guard server != nil, !honest.isEmpty else { return }
        lastTransport += 1
        world.admit(lastTransport, of: nil)
        _ = server?.accept(lastTransport, offers: world.mode.offers(8...14))
        let start = generator.below(honest.count)
        for message in honest[start...].prefix(12) {
            report.hostileMessages += 1
            let bytes = generator.chance(60) ? message : WireMutation.mutated(message, &generator)
            server?.receive(bytes, from: lastTransport)
            server?.didSend(lastTransport)
        }
        server?.didDisconnect(lastTransport)
        serverWorked()
    }

    // MARK: Verification

    private var isSettled: Bool {
        let version = world.newestVersion
        return clients.allSatisfy { client in
            client.isRunning && client.session != nil && client.fresh == nil && client.pending.isEmpty
                && client.markedVersion == version && world.isSettled(client.file)
        }
    }

    private var unsettled: String {
        clients.enumerated().map { index, client in
            """
            \(index): running \(client.isRunning), session \(client.session ?? 0), fresh \(client.fresh != nil), \
            uploaded \(client.file.isUploaded), \(client.file.state.progress), connected \
            \(client.connection.isConnected)
            """
        }.joined(separator: "\n") + "\nserver at \(world.newestVersion), running \(server != nil)"
    }

    // MARK: Many simulations

    /// Runs simulations sequentially until they have performed a number of steps.
    ///
    /// - Throws: The failure, with the seed of its simulation.
    package static func run(
        seed: UInt64, steps: Int, perWorld: Int = 4000, isHostile: Bool = false,
        makeWorld: (UInt64) throws -> any SimulatedWorld = { PartitionWorld(seed: $0) },
        _ progress: (SimulationReport) -> Void = { _ in }
    ) throws -> SimulationReport {
        var report = SimulationReport()
        var seeds = SeededGenerator(seed: seed)
        while report.steps < steps {
            let next = report.worlds == 0 ? seed : seeds.next() >> 16
            let count = min(perWorld, steps - report.steps)
            let simulation = try Simulation(seed: next, isHostile: isHostile, makeWorld: makeWorld)
            try withTrace("--seed \(next) --steps \(count)") { try simulation.run(steps: count) }
            report += simulation.report
            progress(report)
        }
        return report
    }
}

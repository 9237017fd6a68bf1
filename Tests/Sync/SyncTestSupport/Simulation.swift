// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// A server and clients that crash, on a network that delays and loses messages. The seed determines everything.
///
/// At the end connections are stable, and all clients reconnect. Then all have one state: that of a plain merge of the
/// changes in the order of their integration. Each acknowledged change is in it once.
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
    }

    package private(set) var report = SimulationReport()
    private var generator: SeededGenerator
    private var queue = EventQueue<Event>()
    private var now: UInt64 = 0
    private var clients: [Client] = []
    private let directory: SimulatedDirectory
    private let partition: SimulatedPartition
    private var server: SyncServer?
    private var serverRun = 0
    private var isServerSyncing = false
    private var held: [ServerEffect] = []
    private var transports: [UInt64: Transport] = [:]
    private var lastTransport: UInt64 = 0
    private var lastMark: UInt64 = 0
    /// The changesets committed with each mark, and their forms after resets.
    private var written: [UInt64: [Changeset]] = [:]
    private var acknowledged: Set<UInt64> = []
    private var arrived: [UInt64: UInt64] = [:]
    private var isSettling = false
    private let isHostile: Bool
    private let forgetsOften: Bool
    private let makeFile: () throws -> any SimulatedFile
    private var honest: [[UInt8]] = []

    private static let path = "\"world\""

    /// - Parameters:
    /// - forgetsOften: Whether the server forgets clients much more often, so that they start again.
    /// - makeFile: Makes the file of a client.
    package init(
        seed: UInt64, isHostile: Bool = false, forgetsOften: Bool = false,
        makeFile: @escaping () throws -> any SimulatedFile = { SimulatedClientFile() }
    ) throws {
        self.forgetsOften = forgetsOften
        self.makeFile = makeFile
        generator = SeededGenerator(seed: seed)
        self.isHostile = isHostile
        directory = SimulatedDirectory(seed: generator.next())
        partition = directory.partition(Self.path)
        for _ in 0..<2 + generator.below(7) {
            let connection = ClientConnection(random: SeededGenerator(seed: generator.next()))
            clients.append(
                Client(file: try makeFile(), connection: connection, skew: Int64(generator.below(20_000)) - 10_000))
        }
    }

    // MARK: Run

    /// Runs `steps` events, and then until everything has settled.
    package func run(steps: Int) throws {
        startServer()
        for index in clients.indices {
            _ = try commit(SimulatedEditor.schema, index)
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
            }
            try happen(500)
        }
        report.steps = steps
        report.worlds = 1
        try verify()
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

    private var faults: [String] { directory.faults + clients.flatMap { $0.file.faults } }

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
        case .serverSync(let run): if run == serverRun { syncServer() }
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
            case .upload(let upload)? = try? ClientMessage(bytes, mode: .partition)
        else { return }
        for entry in upload.entries {
            if entry.clientVersion <= arrived[file.ident, default: 0] { report.duplicates += 1 }
            arrived[file.ident] = max(arrived[file.ident, default: 0], entry.clientVersion)
        }
    }

    private func delay(_ greatest: Int) -> UInt64 { now + 1 + UInt64(generator.below(greatest)) }

    // MARK: Clients

    private func timestamp(_ index: Int) -> UInt64 { UInt64(max(1, 1_000_000 + Int64(now) + clients[index].skew)) }

    private func commit(_ changeset: Changeset, _ index: Int) throws -> Changeset {
        try clients[index].file.commit(changeset, timestamp: timestamp(index))
    }

    private func write(_ index: Int) throws {
        if isSettling { return }
        queue.add(.client(index, .write), at: delay(generator.chance(70) ? 60 : 5000))
        guard clients[index].isRunning else { return }
        var editor = SimulatedEditor(clients[index].file.model)
        lastMark += 1
        try editor.edit(mark: lastMark, &generator)
        written[lastMark] = [try commit(editor.changeset, index)]
        clients[index].pending.append(lastMark)
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
        clients[index].connection = ClientConnection(random: SeededGenerator(seed: generator.next()))
        let file = clients[index].file
        clients[index].session = update(index) { $0.open(file, path: Self.path) }
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
        case .marked(let session, _):
            if session == clients[index].fresh?.session {
                clients[index].fresh?.isComplete = true
                update(index) { $0.close(session) }
            }
        case .closed(let session): closed(session, index)
        case .failed(let session, let failure): failed(session, failure, index)
        case .log, .subscriptionsChanged: break
        }
    }

    // MARK: Resets

    private func failed(_ session: UInt64?, _ failure: ClientFailure, _ index: Int) {
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
        guard let file = try? makeFile() else { preconditionFailure("no file") }
        let session = update(index) { $0.open(file, path: Self.path, mayUpload: false) }
        clients[index].fresh = (file, session, false)
    }

    private func closed(_ session: UInt64, _ index: Int) {
        guard let fresh = clients[index].fresh, fresh.session == session, fresh.isComplete else { return }
        clients[index].fresh = nil
        report.resets += 1
        let isDiscarding = generator.chance(25)
        if isDiscarding { discard(index) }
        do {
            try clients[index].file.reset(to: fresh.file, discarding: isDiscarding) { changeset, state in
                guard let mark = SimulatedEditor.mark(of: changeset) else { return }
                report.recovered += 1
                written[mark, default: []].append(changeset)
                let isThere = state.tables[SimulatedEditor.mark]?.objects[.int(Int64(mark))] != nil
                if isThere { report.doubled += 1 }
            }
        } catch {
            preconditionFailure("a reset fails: \(error)")
        }
        acknowledge(index)
        let file = clients[index].file
        clients[index].session = update(index) { $0.open(file, path: Self.path) }
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
        server = SyncServer(directory)
    }

    private func serverWorked() {
        held += server?.takeEffects() ?? []
        guard !isServerSyncing, !held.isEmpty else { return }
        isServerSyncing = true
        queue.add(.serverSync(run: serverRun), at: delay(5))
    }

    private func syncServer() {
        isServerSyncing = false
        directory.sync()
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
            case .integrate(let integration):
                integration.run()
                server?.finish(integration)
            case .setTimer, .sessionError, .log: break
            }
        }
        serverWorked()
    }

    private func crashServer() {
        guard server != nil else { return }
        report.serverCrashes += 1
        server = nil
        serverRun += 1
        held = []
        isServerSyncing = false
        directory.crash()
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
        if forgetsOften, generator.chance(50) { return generator.chance(50) ? expire(index) : sendReset(index) }
        switch generator.below(20) {
        case 0..<6: if let transport = clients[index].transport { cut(transport) }
        case 6..<9:
            crashClient(index)
            queue.add(.client(index, .start), at: delay(3000))
        case 9:
            crashClient(index)
            report.longAbsences += 1
            queue.add(.client(index, .start), at: delay(300_000))
            if generator.chance(50) { expire(index) }
        case 10, 11: crashServer()
        case 12: expire(index)
        case 13: sendReset(index)
        case 14: clients[index].skew += Int64(generator.below(10_000)) - 5000
        case 15:
            // Paused and resumed: another session, which binds before the end of the first one is confirmed.
            guard clients[index].isRunning, let session = clients[index].session else { return }
            update(index) { $0.close(session) }
            let file = clients[index].file
            clients[index].session = update(index) { $0.open(file, path: Self.path) }
        default: break
        }
    }

    private func expire(_ index: Int) {
        guard server != nil, let file = clients[index].file.state.file else { return }
        partition.expire(file.ident)
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
        directory.hostile.insert(lastTransport)
        _ = server?.accept(lastTransport, offers: SyncMode.partition.offers(8...14))
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
        clients.allSatisfy { client in
            client.isRunning && client.session != nil && client.fresh == nil && client.pending.isEmpty
                && client.file.isUploaded && hasDownloadedAll(client.file.state)
        }
    }

    /// Empty versions aren't sent.
    private func hasDownloadedAll(_ state: ClientFileState) -> Bool {
        guard let file = state.file else { return false }
        return partition.downloads(for: file.ident, after: state.progress.download.serverVersion, limit: 0)
            .entries.isEmpty
    }

    private var unsettled: String {
        clients.enumerated().map { index, client in
            """
            \(index): running \(client.isRunning), session \(client.session ?? 0), fresh \(client.fresh != nil), \
            uploaded \(client.file.isUploaded), \(client.file.state.progress), connected \
            \(client.connection.isConnected)
            """
        }.joined(separator: "\n") + "\nserver at \(partition.newest), running \(server != nil)"
    }

    private func verify() throws {
        for (index, client) in clients.enumerated() {
            try require(client.file.model == partition.model, "client \(index) has another state than the server")
        }
        try require(try reference() == partition.model, "the server has another state than the reference")
        try verifyMarks()
    }

    /// Returns the state of the integrated changes without any fault.
    private func reference() throws -> SyncModel {
        var history = ServerHistory()
        var model = SyncModel()
        for change in partition.changes {
            if history.files[change.order.fileIdent] == nil { history.addFile(change.order.fileIdent) }
            guard let version = try history.integrate(change, from: change.order.fileIdent) else {
                throw Failure("a change was integrated twice")
            }
            try model.apply(version.changeset)
        }
        return model
    }

    private func verifyMarks() throws {
        var times: [UInt64: Int] = [:]
        for change in partition.changes {
            guard let mark = SimulatedEditor.mark(of: change.changeset) else { continue }
            times[mark, default: 0] += 1
            report.integrations += 1
            let isAsWritten = written[mark]?.contains(change.changeset) == true
            try require(isAsWritten, "change \(mark) arrived as another one")
        }
        for mark in acknowledged.sorted() {
            try require(times[mark] != nil, "the acknowledged change \(mark) is lost")
        }
        for (mark, count) in times.sorted(by: { $0.key < $1.key }) {
            // A reset recovers changes that may have arrived.
            try require(count <= written[mark]?.count ?? 0, "change \(mark) was integrated \(count) times")
        }
        let marks = partition.model.tables[SimulatedEditor.mark]?.objects.count
        try requireEqual(marks, times.count, "the number of marks")
        let total = times.values.reduce(0, +)
        try requireEqual(
            partition.model.content(at: SimulatedEditor.total), .value(.int(Int64(total))), "the total")
    }

    // MARK: Many simulations

    /// Runs simulations sequentially until they have performed a number of steps.
    ///
    /// - Throws: The failure, with the seed of its simulation.
    package static func run(
        seed: UInt64, steps: Int, perWorld: Int = 4000, isHostile: Bool = false,
        _ progress: (SimulationReport) -> Void = { _ in }
    ) throws -> SimulationReport {
        var report = SimulationReport()
        var seeds = SeededGenerator(seed: seed)
        while report.steps < steps {
            let next = report.worlds == 0 ? seed : seeds.next() >> 16
            let count = min(perWorld, steps - report.steps)
            let simulation = try Simulation(seed: next, isHostile: isHostile)
            try withTrace("--seed \(next) --steps \(count)") { try simulation.run(steps: count) }
            report += simulation.report
            progress(report)
        }
        return report
    }
}

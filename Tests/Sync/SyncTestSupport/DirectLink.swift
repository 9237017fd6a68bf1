// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// A server and clients whose messages are delivered immediately. Tests inspect and alter the messages.
package final class DirectLink {
    package struct Client {
        package var connection: ClientConnection
        package var transport: UInt64?
        package var timers: [ClientTimer: UInt64] = [:]
        package var effects: [ClientEffect] = []
    }

    package let directory = SimulatedDirectory(seed: 1)
    package var server: SyncServer
    package private(set) var clients: [Client] = []
    package private(set) var serverTimers: [UInt64: UInt64] = [:]
    package private(set) var log: [String] = []
    package private(set) var messages: [(transport: UInt64, isFromClient: Bool, bytes: [UInt8])] = []
    /// Whether opening a transport fails.
    package var isOffline = false
    /// Changes messages in transit. A message is dropped if it returns nil.
    package var alter: ((_ isFromClient: Bool, [UInt8]) -> [UInt8]?)?
    /// Whether transports accept no further message.
    package var isSlow = false
    private var lastTransport: UInt64 = 0
    private var tasks: [Work] = []
    private var isWorking = false

    private enum Work {
        case client(Int, ClientEffect)
        case server(ServerEffect)
    }

    package init(_ limits: ServerLimits = ServerLimits()) { server = SyncServer(directory, limits) }

    package func addClient(seed: UInt64 = 1) -> Int {
        clients.append(Client(connection: ClientConnection(random: SeededGenerator(seed: seed))))
        return clients.count - 1
    }

    @discardableResult
    package func update<Result>(_ client: Int, _ body: (inout ClientConnection) -> Result) -> Result {
        let result = body(&clients[client].connection)
        tasks += clients[client].connection.takeEffects().map { .client(client, $0) }
        work()
        return result
    }

    package func updateServer(_ body: (inout SyncServer) -> Void) {
        body(&server)
        directory.sync()
        tasks += server.takeEffects().map { .server($0) }
        work()
    }

    /// Performs the effects of each end in order, before its next input.
    private func work() {
        guard !isWorking else { return }
        isWorking = true
        while !tasks.isEmpty {
            switch tasks.removeFirst() {
            case .client(let client, let effect): perform(effect, client)
            case .server(let effect): perform(effect)
            }
        }
        isWorking = false
    }

    package func fire(_ timer: ClientTimer, _ client: Int, now: UInt64 = 0) {
        guard clients[client].timers.removeValue(forKey: timer) != nil else { return }
        update(client) { $0.fire(timer, now: now) }
    }

    package func cut(_ client: Int, _ reason: ClientDisconnection = .retry) {
        if let transport = clients[client].transport { updateServer { $0.didDisconnect(transport) } }
        clients[client].transport = nil
        update(client) { $0.didDisconnect(reason) }
    }

    package func takeEffects(_ client: Int) -> [ClientEffect] {
        defer { clients[client].effects = [] }
        return clients[client].effects
    }

    private func perform(_ effect: ClientEffect, _ client: Int) {
        switch effect {
        case .connect: connect(client)
        case .disconnect:
            if let transport = clients[client].transport { updateServer { $0.didDisconnect(transport) } }
            clients[client].transport = nil
        case .send(let bytes): send(bytes, client)
        case .setTimer(let timer, let delay): clients[client].timers[timer] = delay
        case .cancelTimer(let timer): clients[client].timers[timer] = nil
        default: clients[client].effects.append(effect)
        }
    }

    private func connect(_ client: Int) {
        if isOffline { return update(client) { $0.didDisconnect(.retry) } }
        lastTransport += 1
        let name = server.accept(lastTransport, offers: clients[client].connection.offers)
        clients[client].transport = lastTransport
        update(client) { $0.didConnect(name) }
    }

    private func send(_ bytes: [UInt8], _ client: Int) {
        guard let transport = clients[client].transport else { return }
        messages.append((transport, true, bytes))
        if let bytes = altered(true, bytes) { updateServer { $0.receive(bytes, from: transport) } }
        if !isSlow { update(client) { $0.didSend() } }
    }

    private func altered(_ isFromClient: Bool, _ bytes: [UInt8]) -> [UInt8]? {
        alter.map { $0(isFromClient, bytes) } ?? bytes
    }

    private func perform(_ effect: ServerEffect) {
        switch effect {
        case .send(let transport, let bytes):
            messages.append((transport, false, bytes))
            if let client = clients.firstIndex(where: { $0.transport == transport }),
                let bytes = altered(false, bytes)
            {
                update(client) { $0.receive(bytes, now: 0) }
            }
            if !isSlow { updateServer { $0.didSend(transport) } }
        case .close(let transport):
            guard let client = clients.firstIndex(where: { $0.transport == transport }) else { return }
            clients[client].transport = nil
            update(client) { $0.didDisconnect(.retry) }
        case .setTimer(let transport, let delay): serverTimers[transport] = delay
        case .integrate(let integration):
            integration.run()
            updateServer { $0.finish(integration) }
        case .sessionError: break
        case .log(_, let text): log.append(text)
        }
    }

    /// The headers of all messages, prefixed with their sender: ">" or "<".
    package var headers: [String] {
        messages.map { message in
            (message.isFromClient ? "> " : "< ")
                + String(decoding: message.bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        }
    }
}

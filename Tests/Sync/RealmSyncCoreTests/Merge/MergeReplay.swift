// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// A server and its clients, with histories and states, that take the steps of a recorded history.
struct MergeReplay {
    private(set) var server: ServerHistory
    private(set) var clients: [UInt64: ClientHistory] = [:]
    private(set) var serverState = SyncModel()
    private(set) var clientStates: [UInt64: SyncModel] = [:]
    private let baseState: SyncModel
    /// Whether outputs are compared with the recorded ones. Otherwise the original's outputs are ignored.
    private let isCompared: Bool
    /// The current recorded forms by client and version: those of its own versions, and of the server's versions for
    /// it.
    private var recordedForms: [UInt64: [UInt64: Changeset]] = [:]
    private var recordedServerForms: [UInt64: [UInt64: Changeset]] = [:]

    init(baseState: SyncModel, isCompared: Bool) {
        self.baseState = baseState
        self.isCompared = isCompared
        server = ServerHistory(baseVersion: 1)
        serverState = baseState
    }

    mutating func addClient(_ ident: UInt64) {
        guard clients[ident] == nil else { return }
        clients[ident] = ClientHistory(ident: ident, baseVersion: 1, serverVersion: 1)
        clientStates[ident] = baseState
        server.addFile(ident, clientVersion: 1, serverVersion: 1)
    }

    mutating func take(_ step: JSON) throws {
        if let ident: UInt64 = step["w"]?.integer() {
            addClient(ident)
            try write(ident, step)
        } else if let ident: UInt64 = step["u"]?.integer() {
            addClient(ident)
            try upload(ident, step)
        } else if let ident: UInt64 = step["d"]?.integer() {
            addClient(ident)
            try download(ident, step)
        } else {
            throw Failure("an unknown step: \(step)")
        }
    }

    // MARK: Steps

    /// A write to a state that existed only in a client of the original, because of an earlier fault.
    struct Inapplicable: Error {}

    private mutating func write(_ ident: UInt64, _ step: JSON) throws {
        var changeset = try Changeset(decoding: try step.bytes("c"))
        try requireEqual(clients[ident]?.serverVersion, UInt64(try step.int("base")), "base of a write")
        if isCompared {
            try clientStates[ident]?.apply(changeset)
        } else {
            changeset = try rewrite(changeset, ident)
        }
        let version = clients[ident]?.commit(changeset, timestamp: UInt64(try step.int("t")))
        try requireEqual(version, UInt64(try step.int("v")), "version of a write")
    }

    /// Applies a local change as our client commits it where the original's can't converge (§4.3). It doesn't create a
    /// collection if one of that kind exists, and writes null before an embedded object under a key.
    private mutating func rewrite(_ changeset: Changeset, _ ident: UInt64) throws -> Changeset {
        guard var state = clientStates[ident] else { throw Inapplicable() }
        var written: [Instruction] = []
        for instruction in changeset.instructions {
            let instructions = MergeReplay.rewrite(instruction, state)
            do { try state.apply(Changeset(instructions)) } catch { throw Inapplicable() }
            written += instructions
        }
        clientStates[ident] = state
        return Changeset(written)
    }

    private static func rewrite(_ instruction: Instruction, _ state: SyncModel) -> [Instruction] {
        guard case .change(let place, let change) = instruction else { return [instruction] }
        switch (change, state.content(at: place)) {
        case (.update(.list, _), .list?), (.update(.dictionary, _), .dictionary?), (.updateElement(.list, _), .list?),
            (.updateElement(.dictionary, _), .dictionary?):
            return []
        case (.update(.object, _), _) where !place.path.elements.isEmpty:
            return [.change(place, .update(.null, isDefault: false)), instruction]
        default: return [instruction]
        }
    }

    private mutating func upload(_ ident: UInt64, _ step: JSON) throws {
        let version = UInt64(try step.int("cv"))
        let change = try change(version, of: ident)
        try requireEqual(change.serverVersion, UInt64(try step.int("base")), "base of an upload")
        guard let integrated = try server.integrate(change, from: ident) else { throw Failure("integrated before") }
        clients[ident]?.acknowledge(version)
        try serverState.apply(integrated.changeset)
        try requireEqual(integrated.version, UInt64(try step.int("v")), "server version")
        guard isCompared else { return }
        try compare(integrated.changeset, step["out"], change.changeset)
        for (version, form) in try forms(step) { recordedServerForms[ident, default: [:]][version] = form }
        for version in try versions(step) {
            let original = server.versions(after: version - 1).first?.changeset
            try requireEqual(
                server.files[ident]?.forms[version] ?? original,
                recordedServerForms[ident]?[version] ?? original, "form of server version \(version)")
        }
    }

    /// A version of a client that the server lacks. One that was rewritten to nothing is uploaded too, so that the
    /// server's versions equal those of the recording.
    private func change(_ version: UInt64, of ident: UInt64) throws -> UploadedChange {
        let client = try #require(clients[ident])
        if let change = client.uploads.first(where: { $0.clientVersion == version }) { return change }
        let index = Int(version) - Int(client.baseVersion) - 1
        guard !isCompared, client.entries.indices.contains(index) else {
            throw Failure("client \(ident) has nothing to upload as \(version)")
        }
        let entry = client.entries[index]
        return UploadedChange(
            clientVersion: version, serverVersion: entry.serverVersion,
            order: ChangeOrder(timestamp: entry.timestamp, fileIdent: ident), changeset: entry.changeset)
    }

    private mutating func download(_ ident: UInt64, _ step: JSON) throws {
        let pairs = try #require(step["in"]?.elements).map { pair in
            let parts = pair.elements ?? []
            return (server: try number(parts[0]), client: try number(parts[1]))
        }
        let changes = pairs.map { pair in
            let entry = server.versions(after: pair.server - 1)
            let first = entry[entry.startIndex]
            return DownloadedChange(
                serverVersion: first.version, clientVersion: pair.client, order: first.order, changeset: first.changeset
            )
        }
        if isCompared {
            let sent = server.downloads(for: ident, after: clients[ident]?.serverVersion ?? 0).map(\.serverVersion)
            try requireEqual(Array(sent.prefix(pairs.count)), pairs.map(\.server), "versions that are sent")
        }
        let applied = try integrate(changes, ident)
        try requireEqual(clients[ident]?.newestVersion, UInt64(try step.int("v")), "version of a download")
        guard isCompared else { return }
        for (index, changeset) in applied.enumerated() {
            try compare(changeset, step["out"]?.elements?[index], changes[index].changeset)
        }
        for (version, form) in try forms(step) { recordedForms[ident, default: [:]][version] = form }
        for version in try versions(step) {
            let client = try #require(clients[ident])
            let original = client.entries[Int(version - client.baseVersion) - 1].changeset
            try requireEqual(
                client.forms[version] ?? original, recordedForms[ident]?[version] ?? original,
                "form of version \(version)")
        }
    }

    private mutating func integrate(_ changes: [DownloadedChange], _ ident: UInt64) throws -> [Changeset] {
        guard let applied = try clients[ident]?.integrate(changes) else { throw Failure("no client \(ident)") }
        for changeset in applied { try clientStates[ident]?.apply(changeset) }
        return applied
    }

    mutating func settle() throws {
        for ident in clients.keys.sorted() {
            for change in clients[ident]?.uploads ?? [] {
                guard let integrated = try server.integrate(change, from: ident) else { continue }
                clients[ident]?.acknowledge(change.clientVersion)
                try serverState.apply(integrated.changeset)
            }
        }
        for ident in clients.keys.sorted() {
            let changes = server.downloads(for: ident, after: clients[ident]?.serverVersion ?? 0)
            if !changes.isEmpty { _ = try integrate(changes, ident) }
        }
    }

    mutating func uploadNext(_ ident: UInt64) throws {
        let change = try #require(clients[ident]?.uploads.first)
        _ = try server.integrate(change, from: ident)
    }

    // MARK: Comparison

    var hasConverged: Bool { clientStates.values.allSatisfy { $0.objects == serverState.objects } }

    func compareStates(with state: JSON) throws {
        let expected = serverState.normalized(try state.member("objects"))
        try requireEqual(serverState.objects.description, expected.description, "the server's state")
        for (ident, model) in clientStates {
            try requireEqual(model.objects.description, expected.description, "the state of \(ident)")
        }
    }

    private func number(_ json: JSON) throws -> UInt64 { try #require(json.integer()) }

    private func versions(_ step: JSON) throws -> [UInt64] { try (step["against"]?.elements ?? []).map(number) }

    private func forms(_ step: JSON) throws -> [(UInt64, Changeset)] {
        try (step["rec"]?.members ?? []).map { member in
            let version = try #require(UInt64(member.name))
            let bytes = try #require(Hexadecimal.bytes(member.value.text ?? "?"))
            return (version, try Changeset(decoding: bytes))
        }
    }

    private func compare(_ changeset: Changeset, _ recorded: JSON?, _ original: Changeset) throws {
        guard let text = recorded?.text else { return try requireEqual(changeset, original, "an unchanged output") }
        let bytes = try #require(Hexadecimal.bytes(text))
        try requireEqual(changeset.description, try Changeset(decoding: bytes).description, "an output")
        try requireEqual(changeset, try Changeset(decoding: bytes), "an output")
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

final class Message: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var author = ""
    @Persisted var text = ""
    @Persisted var room: String?
    @Persisted var sentAt = Date()
}

/// The conversation in a room: shows messages as they arrive, from this device and from others.
@MainActor final class Conversation {
    private let realm: Realm
    private let name: String
    private let room: String
    private let messages: Results<Message>
    private var token: NotificationToken?

    /// The number of earlier messages that are shown.
    private static let shownBefore = 20

    init(_ realm: Realm, _ name: String, _ room: String) {
        (self.realm, self.name, self.room) = (realm, name, room)
        // Messages of earlier versions of this program have no room. They are in a partition, which is one room.
        let ofRoom = realm.objects(Message.self).where { $0.room == room || $0.room == nil }
        messages = ofRoom.sorted(byKeyPath: "sentAt")
        token = messages.observe { [weak self] change in
            MainActor.assumeIsolated { self?.show(change) }
        }
    }

    /// Adds a message, which is in the file when this returns. It is uploaded once the server can be reached.
    func say(_ text: String) throws {
        guard !text.isEmpty else { return }
        try realm.write {
            let message = Message()
            (message.author, message.text, message.room) = (name, text, room)
            realm.add(message)
        }
    }

    /// Waits a few seconds for the upload of messages. The remaining ones are uploaded when the user enters the room
    /// again.
    func leave() async throws {
        guard let session = realm.syncSession else { return }
        let upload = Task { try await session.wait(for: .upload) }
        let limit = Task {
            try await Task.sleep(for: .seconds(5))
            session.suspend()
        }
        _ = await upload.result
        limit.cancel()
    }

    private func show(_ change: RealmCollectionChange<Results<Message>>) {
        switch change {
        case .initial: for message in messages.suffix(Self.shownBefore) { show(message) }
        case .update(_, _, let insertions, _): for index in insertions { show(messages[index]) }
        case .error(let error): print("The room cannot be followed: \(error)")
        }
    }

    private func show(_ message: Message) {
        // Unlike `print`, which buffers lines when the output isn't a terminal.
        FileHandle.standardOutput.write(Data("\(message.author): \(message.text)\n".utf8))
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmSwift

/// A chat between terminals, over a server of your own.
///
///     swift run --traits Development realm-server --data chat-data
///     swift run --traits Development chat --server http://127.0.0.1:9090 --name ann
///     swift run --traits Development chat --server http://127.0.0.1:9090 --name bob
///
/// With `--flexible`, the app of the server has flexible sync (`realm-server --data chat-data --flexible app`), and a
/// room is a subscription instead of a partition.
@main struct Chat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Talks to all who are in the same room. Each line of the input is a message; the end of it leaves.")

    @Option(help: "The server.") var server = "http://127.0.0.1:9090"
    @Option(help: "The app that the server knows.") var app = "app"
    @Option(help: "Your name.") var name: String
    @Option(help: "The password of your account, which is made if there is none.") var password = "secret of a chat"
    @Option(help: "The room.") var room = "lobby"
    @Flag(help: "Subscribes to the messages of the room. The server needs the option --flexible for the app.")
    var flexible = false

    @MainActor func run() async throws {
        let app = App(id: self.app, configuration: AppConfiguration(baseURL: server))
        let user = try await logIn(to: app)
        var configuration = flexible ? subscribed(user) : user.configuration(partitionValue: room)
        configuration.objectTypes = [Message.self]
        // Earlier messages are in the file, or arrive once the server can be reached.
        let realm = try await Realm(configuration: configuration)
        let conversation = Conversation(realm, name, room)
        for await line in lines() { try conversation.say(line) }
        try await conversation.leave()
    }

    /// Returns the configuration of the file with the messages of all rooms that the user has entered on this device.
    private func subscribed(_ user: User) -> Realm.Configuration {
        let room = room
        return user.flexibleSyncConfiguration(
            initialSubscriptions: { subscriptions in
                guard subscriptions.first(named: room) == nil else { return }
                subscriptions.append(QuerySubscription<Message>(name: room) { $0.room == room })
            }, rerunOnOpen: true)
    }

    /// Returns the user with this name: the one logged in on this device, an existing one of the server, or a new one.
    @MainActor private func logIn(to app: App) async throws -> User {
        let address = "\(name)@chat.example"
        let known = app.allUsers.values.first { $0.isLoggedIn && $0.profile.email == address }
        if let known { return known }
        let credentials = Credentials.emailPassword(email: address, password: password)
        do {
            return try await app.login(credentials: credentials)
        } catch AppError.invalidPassword {
            try await app.emailPasswordAuth.registerUser(email: address, password: password)
            return try await app.login(credentials: credentials)
        }
    }

    /// The lines of the input. Waiting for one blocks a thread.
    private func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}

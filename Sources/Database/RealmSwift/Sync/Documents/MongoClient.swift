// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// A client for the documents that an app's server provides as collections.
///
/// ```swift
/// let dogs = user.mongoClient("mongodb-atlas").database(named: "kennel").collection(withName: "Dog")
/// let heavy = try await dogs.find(filter: ["_partition": "public", "weight": ["$gt": 30]])
/// ```
///
/// It can be used from any thread, like its databases and collections.
public struct MongoClient: Sendable {
    /// The name of the service.
    public let name: String
    let user: User

    /// Returns a database. No request is sent.
    public func database(named: String) -> MongoDatabase { MongoDatabase(name: named, client: self) }
}

/// A database of a ``MongoClient``.
public struct MongoDatabase: Sendable {
    /// The name of the database.
    public let name: String
    let client: MongoClient

    /// Returns a collection. No request is sent.
    public func collection(withName: String) -> MongoCollection { MongoCollection(name: withName, database: self) }
}

extension User {
    /// Returns a client for the documents of a service, usually `mongodb-atlas`.
    public func mongoClient(_ serviceName: String) -> MongoClient { MongoClient(name: serviceName, user: self) }
}

/// A collection of documents on a server.
///
/// Filters, updates and pipelines have the form of MongoDB's query language. The server's error names an operator that
/// it doesn't support. Each call sends one request.
public struct MongoCollection: Sendable {
    /// The name of the collection: on a sync server, that of a class.
    public let name: String
    let database: MongoDatabase

    /// A function that receives the `_id` of an inserted document, or an error.
    public typealias MongoInsertBlock = @Sendable (Result<AnyBSON, Error>) -> Void
    /// A function that receives the values of `_id` of inserted documents, or an error.
    public typealias MongoInsertManyBlock = @Sendable (Result<[AnyBSON], Error>) -> Void
    /// A function that receives documents, or an error.
    public typealias MongoFindBlock = @Sendable (Result<[Document], Error>) -> Void
    /// A function that receives a document or `nil`, or an error.
    public typealias MongoFindOneBlock = @Sendable (Result<Document?, Error>) -> Void
    /// A function that receives a number of documents, or an error.
    public typealias MongoCountBlock = @Sendable (Result<Int, Error>) -> Void
    /// A function that receives the result of an update, or an error.
    public typealias MongoUpdateBlock = @Sendable (Result<UpdateResult, Error>) -> Void

    // MARK: Requests

    func request(_ command: String, _ members: [JSON.Member]) -> AppRequest {
        let names: [JSON.Member] = [
            .init("database", .string(database.name)), .init("collection", .string(name)),
        ]
        return .function(command, [.object(names + members)], service: database.client.name)
    }

    func call(_ command: String, _ members: JSON.Member?...) async throws -> ExtendedJSON {
        let answer = try await database.client.user.send(request(command, members.compactMap { $0 }))
        guard let value = ExtendedJSON(try JSON(answer: answer)) else { throw invalidAnswer(command) }
        return value
    }

    func invalidAnswer(_ command: String) -> AppError {
        AppError(.unknown, "The result of '\(command)' on the collection '\(name)' is not the expected one.")
    }

    func document(_ value: ExtendedJSON, _ command: String) throws -> Document? {
        if value == .null { return nil }
        guard case .document(let members) = value, let document = Document(members) else {
            throw invalidAnswer(command)
        }
        return document
    }

    func documents(_ value: ExtendedJSON, _ command: String) throws -> [Document] {
        guard case .array(let elements) = value else { throw invalidAnswer(command) }
        return try elements.map { element in
            guard let document = try document(element, command) else { throw invalidAnswer(command) }
            return document
        }
    }

    func count(_ value: ExtendedJSON?, _ command: String) throws -> Int {
        guard let count = value.flatMap({ AnyBSON($0) })?.asInt() else { throw invalidAnswer(command) }
        return count
    }
}

extension ExtendedJSON {
    subscript(name: String) -> ExtendedJSON? {
        if case .document(let members) = self { members.last { $0.name == name }?.value } else { nil }
    }
}

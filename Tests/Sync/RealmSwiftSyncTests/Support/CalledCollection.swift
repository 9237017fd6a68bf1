// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync && (canImport(Darwin) || canImport(OpenCombine))
    import RealmSwiftCombine

    @testable import RealmSwift

    #if canImport(Darwin)
        import Combine
    #else
        import OpenCombine
    #endif

    /// A collection whose functions are called in one of the SDK's forms.
    struct CalledCollection {
        enum Form: CaseIterable {
            case async, completion, future
        }

        let notes: MongoCollection
        let form: Form

        func insertOne(_ document: RealmSwift.Document) async throws -> AnyBSON {
            try await call({ try await notes.insertOne(document) }) {
                notes.insertOne(document, $0)
            } _: {
                notes.insertOne(document)
            }
        }

        func insertMany(_ documents: [RealmSwift.Document]) async throws -> [AnyBSON] {
            try await call({ try await notes.insertMany(documents) }) {
                notes.insertMany(documents, $0)
            } _: {
                notes.insertMany(documents)
            }
        }

        func find(
            filter: RealmSwift.Document, options: FindOptions? = nil
        ) async throws -> [RealmSwift.Document] {
            guard let options else {
                return try await call({ try await notes.find(filter: filter) }) {
                    notes.find(filter: filter, $0)
                } _: {
                    notes.find(filter: filter)
                }
            }
            return try await call({ try await notes.find(filter: filter, options: options) }) {
                notes.find(filter: filter, options: options, $0)
            } _: {
                notes.find(filter: filter, options: options)
            }
        }

        func findOneDocument(
            filter: RealmSwift.Document, options: FindOptions? = nil
        ) async throws -> RealmSwift.Document? {
            guard let options else {
                return try await call({ try await notes.findOneDocument(filter: filter) }) {
                    notes.findOneDocument(filter: filter, $0)
                } _: {
                    notes.findOneDocument(filter: filter)
                }
            }
            return try await call({ try await notes.findOneDocument(filter: filter, options: options) }) {
                notes.findOneDocument(filter: filter, options: options, $0)
            } _: {
                notes.findOneDocument(filter: filter, options: options)
            }
        }

        func aggregate(pipeline: [RealmSwift.Document]) async throws -> [RealmSwift.Document] {
            try await call({ try await notes.aggregate(pipeline: pipeline) }) {
                notes.aggregate(pipeline: pipeline, $0)
            } _: {
                notes.aggregate(pipeline: pipeline)
            }
        }

        func count(filter: RealmSwift.Document, limit: Int? = nil) async throws -> Int {
            try await call({ try await notes.count(filter: filter, limit: limit) }) {
                notes.count(filter: filter, limit: limit, $0)
            } _: {
                if let limit { notes.count(filter: filter, limit: limit) } else { notes.count(filter: filter) }
            }
        }

        func deleteOneDocument(filter: RealmSwift.Document) async throws -> Int {
            try await call({ try await notes.deleteOneDocument(filter: filter) }) {
                notes.deleteOneDocument(filter: filter, $0)
            } _: {
                notes.deleteOneDocument(filter: filter)
            }
        }

        func deleteManyDocuments(filter: RealmSwift.Document) async throws -> Int {
            try await call({ try await notes.deleteManyDocuments(filter: filter) }) {
                notes.deleteManyDocuments(filter: filter, $0)
            } _: {
                notes.deleteManyDocuments(filter: filter)
            }
        }

        func updateOneDocument(
            filter: RealmSwift.Document, update: RealmSwift.Document, upsert: Bool? = nil
        ) async throws -> UpdateResult {
            try await call({ try await notes.updateOneDocument(filter: filter, update: update, upsert: upsert) }) {
                notes.updateOneDocument(filter: filter, update: update, upsert: upsert ?? false, $0)
            } _: {
                guard let upsert else { return notes.updateOneDocument(filter: filter, update: update) }
                return notes.updateOneDocument(filter: filter, update: update, upsert: upsert)
            }
        }

        func updateManyDocuments(
            filter: RealmSwift.Document, update: RealmSwift.Document, upsert: Bool? = nil
        ) async throws -> UpdateResult {
            try await call({ try await notes.updateManyDocuments(filter: filter, update: update, upsert: upsert) }) {
                notes.updateManyDocuments(filter: filter, update: update, upsert: upsert ?? false, $0)
            } _: {
                guard let upsert else { return notes.updateManyDocuments(filter: filter, update: update) }
                return notes.updateManyDocuments(filter: filter, update: update, upsert: upsert)
            }
        }

        func findOneAndUpdate(
            filter: RealmSwift.Document, update: RealmSwift.Document, options: FindOneAndModifyOptions? = nil
        ) async throws -> RealmSwift.Document? {
            guard let options else {
                return try await call({ try await notes.findOneAndUpdate(filter: filter, update: update) }) {
                    notes.findOneAndUpdate(filter: filter, update: update, $0)
                } _: {
                    notes.findOneAndUpdate(filter: filter, update: update)
                }
            }
            return try await call({
                try await notes.findOneAndUpdate(filter: filter, update: update, options: options)
            }) {
                notes.findOneAndUpdate(filter: filter, update: update, options: options, $0)
            } _: {
                notes.findOneAndUpdate(filter: filter, update: update, options: options)
            }
        }

        func findOneAndReplace(
            filter: RealmSwift.Document, replacement: RealmSwift.Document, options: FindOneAndModifyOptions? = nil
        ) async throws -> RealmSwift.Document? {
            guard let options else {
                return try await call({ try await notes.findOneAndReplace(filter: filter, replacement: replacement) }) {
                    notes.findOneAndReplace(filter: filter, replacement: replacement, $0)
                } _: {
                    notes.findOneAndReplace(filter: filter, replacement: replacement)
                }
            }
            return try await call({
                try await notes.findOneAndReplace(filter: filter, replacement: replacement, options: options)
            }) {
                notes.findOneAndReplace(filter: filter, replacement: replacement, options: options, $0)
            } _: {
                notes.findOneAndReplace(filter: filter, replacement: replacement, options: options)
            }
        }

        func findOneAndDelete(
            filter: RealmSwift.Document, options: FindOneAndModifyOptions? = nil
        ) async throws -> RealmSwift.Document? {
            guard let options else {
                return try await call({ try await notes.findOneAndDelete(filter: filter) }) {
                    notes.findOneAndDelete(filter: filter, $0)
                } _: {
                    notes.findOneAndDelete(filter: filter)
                }
            }
            return try await call({ try await notes.findOneAndDelete(filter: filter, options: options) }) {
                notes.findOneAndDelete(filter: filter, options: options, $0)
            } _: {
                notes.findOneAndDelete(filter: filter, options: options)
            }
        }

        private func call<Value: Sendable>(
            _ asynchronous: () async throws -> Value,
            _ completing: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void,
            _ future: () -> Future<Value, any Error>
        ) async throws -> Value {
            switch form {
            case .async: return try await asynchronous()
            case .completion:
                return try await withCheckedThrowingContinuation { continuation in
                    completing { continuation.resume(with: $0) }
                }
            case .future:
                nonisolated(unsafe) var held: AnyCancellable?
                defer { held?.cancel() }
                return try await withCheckedThrowingContinuation { continuation in
                    held = future().sink { completion in
                        if case .failure(let error) = completion { continuation.resume(throwing: error) }
                    } receiveValue: {
                        continuation.resume(returning: $0)
                    }
                }
            }
        }
    }
#endif

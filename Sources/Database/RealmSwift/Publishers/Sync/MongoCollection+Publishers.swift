// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension MongoCollection {
        /// Starts inserting a document, and returns a future with its `_id`.
        public func insertOne(_ document: Document) -> Future<AnyBSON, Error> {
            future { try await self.insertOne(document) }
        }

        /// Starts inserting documents, and returns a future with their values of `_id`.
        public func insertMany(_ documents: [Document]) -> Future<[AnyBSON], Error> {
            future { try await self.insertMany(documents) }
        }

        /// Starts a query, and returns a future with the documents.
        public func find(filter: Document, options: FindOptions) -> Future<[Document], Error> {
            future { try await self.find(filter: filter, options: options) }
        }

        /// Starts a query, and returns a future with the documents.
        public func find(filter: Document) -> Future<[Document], Error> {
            future { try await self.find(filter: filter) }
        }

        /// Starts a query, and returns a future with a document, or with `nil` if none satisfies the filter.
        public func findOneDocument(filter: Document, options: FindOptions) -> Future<Document?, Error> {
            future { try await self.findOneDocument(filter: filter, options: options) }
        }

        /// Starts a query, and returns a future with a document, or with `nil` if none satisfies the filter.
        public func findOneDocument(filter: Document) -> Future<Document?, Error> {
            future { try await self.findOneDocument(filter: filter) }
        }

        /// Starts a pipeline, and returns a future with its results.
        public func aggregate(pipeline: [Document]) -> Future<[Document], Error> {
            future { try await self.aggregate(pipeline: pipeline) }
        }

        /// Starts a count, and returns a future with the number of documents, at most `limit`.
        public func count(filter: Document, limit: Int) -> Future<Int, Error> {
            future { try await self.count(filter: filter, limit: limit) }
        }

        /// Starts a count, and returns a future with the number of documents.
        public func count(filter: Document) -> Future<Int, Error> {
            future { try await self.count(filter: filter) }
        }

        /// Starts deleting a document, and returns a future with the number of deleted documents.
        public func deleteOneDocument(filter: Document) -> Future<Int, Error> {
            future { try await self.deleteOneDocument(filter: filter) }
        }

        /// Starts deleting documents, and returns a future with their number.
        public func deleteManyDocuments(filter: Document) -> Future<Int, Error> {
            future { try await self.deleteManyDocuments(filter: filter) }
        }

        /// Starts updating a document, and returns a future with the result.
        public func updateOneDocument(
            filter: Document, update: Document, upsert: Bool
        ) -> Future<UpdateResult, Error> {
            future { try await self.updateOneDocument(filter: filter, update: update, upsert: upsert) }
        }

        /// Starts updating a document, and returns a future with the result.
        public func updateOneDocument(filter: Document, update: Document) -> Future<UpdateResult, Error> {
            future { try await self.updateOneDocument(filter: filter, update: update) }
        }

        /// Starts updating documents, and returns a future with the result.
        public func updateManyDocuments(
            filter: Document, update: Document, upsert: Bool
        ) -> Future<UpdateResult, Error> {
            future { try await self.updateManyDocuments(filter: filter, update: update, upsert: upsert) }
        }

        /// Starts updating documents, and returns a future with the result.
        public func updateManyDocuments(filter: Document, update: Document) -> Future<UpdateResult, Error> {
            future { try await self.updateManyDocuments(filter: filter, update: update) }
        }

        /// Starts updating a document, and returns a future with the document before or after the update.
        public func findOneAndUpdate(
            filter: Document, update: Document, options: FindOneAndModifyOptions
        ) -> Future<Document?, Error> {
            future { try await self.findOneAndUpdate(filter: filter, update: update, options: options) }
        }

        /// Starts updating a document, and returns a future with the document before the update.
        public func findOneAndUpdate(filter: Document, update: Document) -> Future<Document?, Error> {
            future { try await self.findOneAndUpdate(filter: filter, update: update) }
        }

        /// Starts replacing a document, and returns a future with the document before or after the replacement.
        public func findOneAndReplace(
            filter: Document, replacement: Document, options: FindOneAndModifyOptions
        ) -> Future<Document?, Error> {
            future { try await self.findOneAndReplace(filter: filter, replacement: replacement, options: options) }
        }

        /// Starts replacing a document, and returns a future with the document before the replacement.
        public func findOneAndReplace(filter: Document, replacement: Document) -> Future<Document?, Error> {
            future { try await self.findOneAndReplace(filter: filter, replacement: replacement) }
        }

        /// Starts deleting a document, and returns a future with the deleted document.
        public func findOneAndDelete(
            filter: Document, options: FindOneAndModifyOptions
        ) -> Future<Document?, Error> {
            future { try await self.findOneAndDelete(filter: filter, options: options) }
        }

        /// Starts deleting a document, and returns a future with the deleted document.
        public func findOneAndDelete(filter: Document) -> Future<Document?, Error> {
            future { try await self.findOneAndDelete(filter: filter) }
        }
    }
#endif

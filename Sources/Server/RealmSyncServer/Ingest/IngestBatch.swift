// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// A function that processes ingested objects.
    public typealias IngestHook = @Sendable (IngestBatch) async throws -> Void

    /// Objects of asymmetric classes that the clients of an app have sent, in the order of their integration.
    public struct IngestBatch: Sendable {
        /// The id of the app.
        public let app: String
        /// The objects; at least one.
        public let objects: [IngestedObject]
    }

    /// An object of an asymmetric class, as a document.
    public struct IngestedObject: Sendable {
        /// The number of the object in its app. Numbers increase, so a repeated object can be recognised by its number.
        public let sequence: UInt64
        /// The time at which the server received the object, in seconds since 1970.
        public let time: UInt64
        /// The name of the class.
        public let className: String
        /// The id of the user whose client sent the object.
        public let userID: String
        /// The document in relaxed Extended JSON.
        public var json: String { document.relaxed.description }
        /// The document in canonical Extended JSON, which includes the exact types of numbers.
        public var canonicalJSON: String { document.description }
        let document: ExtendedJSON

        /// - Throws: `RecordError` if the record is damaged.
        init(_ record: IngestRecord) throws {
            (sequence, time, className, userID) = (record.sequence, record.time, record.className.string, record.user)
            document = try record.extendedJSON()
        }

        /// A line for programs, without its end.
        func line(isCanonical: Bool) -> String {
            let time = ExtendedJSON.date(Int64(clamping: time.multipliedReportingOverflow(by: 1000).partialValue))
            let members = [
                JSON.Member("_seq", .int(sequence)), JSON.Member("class", .string(className)),
                JSON.Member("time", isCanonical ? time.json : time.relaxed), JSON.Member("user", .string(userID)),
                JSON.Member("document", isCanonical ? document.json : document.relaxed),
            ]
            return JSON.object(members).description
        }
    }
#endif

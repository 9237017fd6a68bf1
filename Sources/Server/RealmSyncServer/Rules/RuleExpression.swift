// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    /// A condition of a role on its user and, in document filters, on the fields of a document.
    indirect enum RuleExpression: Equatable, Sendable {
        case constant(Bool)
        case all([RuleExpression])
        case any([RuleExpression])
        case not(RuleExpression)
        case test(Subject, Test)

        enum Subject: Equatable, Sendable {
            case value(Operand)
            /// The steps of a dotted name.
            case field([String])
        }

        enum Test: Equatable, Sendable {
            case compare(Comparison, Operand)
            case oneOf(Operand)
            case exists
        }

        enum Comparison: String, Sendable {
            case equal = "eq"
            case less = "lt"
            case lessOrEqual = "lte"
            case greater = "gt"
            case greaterOrEqual = "gte"
        }

        indirect enum Operand: Equatable, Sendable {
            case literal(ExtendedJSON)
            /// The path of a member of `%%user` or `%%request`, with `user` or `request` as its first step.
            case member([String])
            case array([Operand])
            case converted(Conversion, Operand)
        }

        enum Conversion: String, Sendable {
            case stringToObjectId = "stringToOid"
            case objectIdToString = "oidToString"
            case stringToUUID = "stringToUuid"
            case uuidToString = "uuidToString"
        }
    }

    extension RuleExpression.Operand {
        /// Returns `nil` if a member of the user is missing or can't be converted.
        func value(for user: UserValues) -> ExtendedJSON? {
            switch self {
            case .literal(let value): value
            case .member(let path): user.value(at: path)
            case .array(let elements): .array(elements.compactMap { $0.value(for: user) })
            case .converted(let conversion, let operand): operand.value(for: user).flatMap(conversion.convert)
            }
        }

        func scalar(for user: UserValues) -> StoredValue? { value(for: user)?.scalar }

        /// The values of an array, and whether all of them are known.
        func elements(for user: UserValues) -> (values: [StoredValue], isComplete: Bool) {
            let values: [StoredValue?]
            if case .array(let operands) = self {
                values = operands.map { $0.scalar(for: user) }
            } else if case .array(let elements)? = value(for: user) {
                values = elements.map(\.scalar)
            } else {
                return ([], false)
            }
            let known = values.compactMap { $0 }
            return (known, known.count == values.count)
        }
    }

    extension RuleExpression.Conversion {
        fileprivate func convert(_ value: ExtendedJSON) -> ExtendedJSON? {
            switch (self, value) {
            case (_, .array(let elements)): .array(elements.compactMap(convert))
            case (.stringToObjectId, .string(let text)): ObjectIdBytes(hexadecimal: text).map { .objectId($0) }
            case (.objectIdToString, .objectId(let id)): .string(Hexadecimal.text(id.bytes))
            case (.stringToUUID, .string(let text)): ExtendedJSON(["$uuid": .string(text)])
            case (.uuidToString, .binary(let bytes, ExtendedJSON.uuidSubtype)) where bytes.count == UUIDBytes.byteCount:
                .string(Hexadecimal.uuid(bytes))
            default: nil
            }
        }
    }

    extension ExtendedJSON {
        /// The value of a property, or `nil` for arrays, documents, and the types that no property has.
        var scalar: StoredValue? {
            switch self {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int32(let value): .int(Int64(value))
            case .int64(let value): .int(value)
            case .double(let value): .double(value)
            case .string(let value): .string(value)
            case .binary(let bytes, ExtendedJSON.uuidSubtype):
                bytes.count == UUIDBytes.byteCount ? .uuid(UUIDBytes(bytes: bytes)) : nil
            case .binary(let bytes, _): .binary(bytes)
            case .objectId(let id): .objectId(id)
            case .date(let milliseconds):
                .timestamp(
                    Timestamp(seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000))
            case .decimal(let value): .decimal(value)
            case .regularExpression, .timestamp, .minKey, .maxKey, .array, .document: nil
            }
        }
    }
#endif

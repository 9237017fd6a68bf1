// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmQuery
    import RealmStorage
    import RealmSyncCore

    /// The access of a user to the documents of an app with flexible sync.
    public struct DocumentAccess: Sendable, Equatable {
        /// A selection of the documents of a class.
        public enum Documents: Sendable, Equatable {
            /// No document.
            case none
            /// All documents.
            case all
            /// The documents that match a query in Realm Query Language, such as `owner == 'ann'`. The query has the
            /// form of a subscription: it uses only the document's own properties.
            case matching(String)

            /// Returns the documents with a text in a field. The text can contain any characters.
            public static func field(_ name: String, equals text: String) -> Documents {
                let path = PropertyPath([.property(name)])
                return .matching(Predicate.compare(path, .equal, .string(text)).description)
            }
        }

        /// A selection of the fields of a class.
        public enum Fields: Sendable, Equatable {
            /// All fields.
            case all
            /// The named fields.
            case only([String])
            /// All fields except for the named ones.
            case allBut([String])
        }

        /// The access to the documents of one class.
        public struct OnClass: Sendable, Equatable {
            /// The documents that the user receives.
            public var read: Documents
            /// The documents that the user can create, change, and delete. The filter must match before and after the
            /// change.
            public var write: Documents
            /// Whether the user can create documents.
            public var canInsert: Bool
            /// Whether the user can delete documents.
            public var canDelete: Bool
            /// The fields that the user receives.
            public var readableFields: Fields
            /// The fields that the user can change.
            public var writableFields: Fields

            /// All rights on all documents.
            public static let all = OnClass(
                read: .all, write: .all, canInsert: true, canDelete: true, readableFields: .all, writableFields: .all)
            /// The right to read all documents.
            public static let readOnly = OnClass(
                read: .all, write: .none, canInsert: false, canDelete: false, readableFields: .all,
                writableFields: .only([]))
            /// No rights.
            public static let none = OnClass(
                read: .none, write: .none, canInsert: false, canDelete: false, readableFields: .only([]),
                writableFields: .only([]))
        }

        private(set) var classes: [Text: OnClass] = [:]
        /// The access to the classes without their own.
        public var others: OnClass

        /// Creates the same access to all classes.
        public init(others: OnClass) { self.others = others }

        /// The access to a class.
        public subscript(className: String) -> OnClass {
            get { classes[Text(className)] ?? others }
            set { classes[Text(className)] = newValue }
        }
    }

    extension UserRights {
        /// - Throws: `SubscriptionError` if a query is invalid or too long.
        init(_ access: DocumentAccess) throws {
            self.init(others: try ClassRights(access.others, of: nil))
            for (name, access) in access.classes { classes[name] = try ClassRights(access, of: name) }
        }
    }

    extension ClassRights {
        fileprivate init(_ access: DocumentAccess.OnClass, of className: Text?) throws {
            self.init(
                read: try DocumentFilter(access.read, className), write: try DocumentFilter(access.write, className),
                canInsert: access.canInsert, canDelete: access.canDelete,
                readableFields: FieldSelection(access.readableFields),
                writableFields: FieldSelection(access.writableFields))
        }
    }

    extension DocumentFilter {
        /// The text of the query is canonical, so that equal filters compare equal.
        fileprivate init(_ documents: DocumentAccess.Documents, _ className: Text?) throws {
            switch documents {
            case .none: self = .none
            case .all: self = .all
            case .matching(let text):
                let query = try SubscriptionQuery(className ?? "", parsing: text)
                switch query.predicate {
                case .constant(let value): self = value ? .all : .none
                case .comparison, .and, .or, .not: self = .matching(query.text)
                }
            }
        }
    }

    extension FieldSelection {
        fileprivate init(_ fields: DocumentAccess.Fields) {
            func texts(_ names: [String]) -> Set<Text> { Set(names.map { Text($0) }) }
            switch fields {
            case .all: self = .all
            case .only(let names): self = .only(texts(names))
            case .allBut(let names): self = .allBut(texts(names))
            }
        }
    }
#endif

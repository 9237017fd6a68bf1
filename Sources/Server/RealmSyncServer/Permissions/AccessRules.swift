// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    /// Rules in a JSON file that grant users access to partitions.
    ///
    ///     {"rules": [
    ///         {"user": "*", "partition": "public", "access": "read"},
    ///         {"partition": "user=%%user", "access": "write"}]}
    ///
    /// The first matching rule decides; a user without a matching rule has no access. In `user`, `app`, and
    /// `partition`, `*` matches any text. In `partition`, `%%user` is the user's id. `type` is the type of the
    /// partition value: `string`, `int`, `objectId`, `uuid`, or `null`. A member that a rule omits matches any value.
    public struct AccessRules: Sendable {
        fileprivate struct Rule: Sendable {
            let app: String
            let user: String
            let partition: String
            let kind: PartitionRequest.Kind?
            let access: PartitionAccess
        }

        private let rules: [Rule]

        /// Creates rules from the text of a JSON file.
        ///
        /// - Throws: `RuleError`, whose description names the invalid rule.
        public init(json: String) throws {
            // A file with `apps` alone grants no access to partitions.
            guard let json = try? JSON(parsing: json),
                let elements = json["rules"].map(\.elements) ?? (json["apps"] == nil ? nil : [])
            else {
                throw RuleError(description: "The rules must be a JSON object with an array \"rules\".")
            }
            rules = try elements.enumerated().map { try Rule($1, number: $0 + 1) }
        }

        /// Returns the access that the rules grant for a request.
        public func access(_ request: PartitionRequest) -> PartitionAccess {
            rules.first { $0.fits(request) }?.access ?? .none
        }
    }

    /// An error in a file of rules.
    public struct RuleError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The error and the number of the rule.
        public let description: String
    }

    extension AccessRules.Rule {
        fileprivate init(_ json: JSON, number: Int) throws {
            guard let members = json.members else {
                throw RuleError(description: "Rule \(number) isn't an object.")
            }
            let known = ["app", "user", "partition", "type", "access"]
            for member in members where !known.contains(where: { $0.isIdentical(to: member.name) }) {
                throw RuleError(
                    description:
                        "Rule \(number) has a member \"\(member.name)\"; there are \(known.joined(separator: ", ")).")
            }
            func text(_ name: String) throws -> String? {
                guard let value = json[name] else { return nil }
                guard let text = value.text else {
                    throw RuleError(description: "\"\(name)\" of rule \(number) isn't a string.")
                }
                return text
            }
            guard let access = try text("access").flatMap(PartitionAccess.init) else {
                throw RuleError(description: "\"access\" of rule \(number) must be \"none\", \"read\" or \"write\".")
            }
            self.access = access
            app = try text("app") ?? "*"
            user = try text("user") ?? "*"
            partition = try text("partition") ?? "*"
            kind = try text("type").map {
                guard let kind = PartitionRequest.Kind(rawValue: $0) else {
                    throw RuleError(description: "\"type\" of rule \(number) isn't a type of partition values.")
                }
                return kind
            }
        }

        fileprivate func fits(_ request: PartitionRequest) -> Bool {
            guard kind == nil || kind == request.kind else { return false }
            return Pattern(app).matches(request.app) && Pattern(user).matches(request.user)
                && Pattern(partition, user: request.user).matches(request.partition)
        }
    }

    struct Pattern {
        /// `nil` represents `*`.
        private let bytes: [UInt8?]

        /// - Parameter user: The replacement for `%%user`. A `*` in it matches only itself.
        init(_ text: String, user: String? = nil) {
            var bytes: [UInt8?] = []
            var rest = Array(text.utf8)[...]
            let name = Array("%%user".utf8)
            while let byte = rest.first {
                if let user, rest.starts(with: name) {
                    bytes += Array(user.utf8).map { $0 }
                    rest = rest.dropFirst(name.count)
                } else {
                    bytes.append(byte == UInt8(ascii: "*") ? nil : byte)
                    rest = rest.dropFirst()
                }
            }
            self.bytes = bytes
        }

        /// The time is at most proportional to the product of both lengths.
        func matches(_ text: String) -> Bool {
            let text = Array(text.utf8)
            var (index, position) = (0, 0)
            var star: (index: Int, position: Int)?
            while position < text.count {
                if index < bytes.count, bytes[index] == text[position] {
                    (index, position) = (index + 1, position + 1)
                } else if index < bytes.count, bytes[index] == nil {
                    star = (index, position)
                    index += 1
                } else if let last = star {
                    star = (last.index, last.position + 1)
                    (index, position) = (last.index + 1, last.position + 1)
                } else {
                    return false
                }
            }
            return bytes[index...].allSatisfy { $0 == nil }
        }
    }
#endif

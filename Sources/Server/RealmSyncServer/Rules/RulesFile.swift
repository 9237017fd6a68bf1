// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import Logging
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmStorage

    /// A file of rules for partitions and documents, which is read again when it changes. Can be used from any thread.
    package final class RulesFile: Sendable {
        private struct Rules: Sendable {
            let text: String
            let partitions: AccessRules
            let roles: RoleRules

            init(_ text: String) throws {
                self.text = text
                (partitions, roles) = (try AccessRules(json: text), try RoleRules(json: text))
            }
        }

        private let path: String
        private let rules: NIOLockedValueBox<Rules>
        /// The last invalid text, so that its error is reported once.
        private let invalid = NIOLockedValueBox<String?>(nil)

        /// Creates the rules of a file that was read.
        ///
        /// - Parameters:
        ///   - path: The file, which `reload` reads again.
        ///   - contents: The contents of the file.
        /// - Throws: `RuleError`.
        package init(_ path: String, _ contents: Data) throws {
            self.path = path
            guard let text = String(data: contents, encoding: .utf8) else {
                throw RuleError(description: "The file '\(path)' isn't UTF-8 text.")
            }
            rules = NIOLockedValueBox(try Rules(text))
        }

        package func access(_ request: PartitionRequest) -> PartitionAccess {
            rules.withLockedValue { $0.partitions }.access(request)
        }

        package func access(_ user: UserContext) -> DocumentAccess { rules.withLockedValue { $0.roles }.access(user) }

        /// The fields that queries can use, by the app. A server reads them when it starts.
        package var queryableFields: [ByteText: QueryableFields] { rules.withLockedValue { $0.roles.queryableFields } }

        /// Reads the file again. Invalid rules have no effect.
        ///
        /// - Returns: Whether the rules have changed.
        /// - Throws: `RuleError` once for each invalid text.
        package func reload() throws -> Bool {
            // A file that is being replaced can be missing for a moment.
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                text != rules.withLockedValue({ $0.text }), text != invalid.withLockedValue({ $0 })
            else { return false }
            do {
                let changed = try Rules(text)
                rules.withLockedValue { $0 = changed }
                invalid.withLockedValue { $0 = nil }
                return true
            } catch {
                invalid.withLockedValue { $0 = text }
                throw error
            }
        }

        /// Applies changes of the file to a server, until the task is cancelled.
        package func follow(for server: RealmServer, interval: Duration = .seconds(2), logger: Logger) async {
            while (try? await Task.sleep(for: interval)) != nil {
                do {
                    guard try reload() else { continue }
                    await server.rightsChanged()
                    logger.notice("the changed rules are in effect")
                } catch {
                    logger.error("the changed rules are invalid; the earlier ones remain: \(error)")
                }
            }
        }
    }
#endif

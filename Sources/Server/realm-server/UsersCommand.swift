// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import Foundation
    import RealmAccounts
    import RealmSyncServer

    struct UsersCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "users", abstract: "Lists, creates, and changes the users of an app.",
            discussion: """
                A running server makes the change, if it has an admin port. Otherwise the command makes it. The change \
                is durable when the command ends, and takes effect at once.
                """,
            subcommands: [
                List.self, Create.self, Disable.self, Enable.self, Revoke.self, Delete.self, SetCustomData.self,
                MakeKey.self,
            ])

        struct Options: ParsableArguments {
            @OptionGroup var folder: FolderOptions
            @Option(help: ArgumentHelp("The id of the app.", valueName: "id"))
            var app = "app"

            func request(_ action: AccountRequest.Action, user: String? = nil) -> AccountRequest {
                var request = AccountRequest(action, app: app)
                request.user = user
                return request
            }

            func perform(_ request: AccountRequest) async throws -> AccountResponse {
                try await folder.administration().perform(request)
            }

            func change(_ action: AccountRequest.Action, _ user: String, _ result: String) async throws {
                _ = try await perform(request(action, user: user))
                if !folder.json { print("\(user): \(result)") }
            }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Lists the users of an app.")

            @OptionGroup var options: Options
            @Option(
                help: ArgumentHelp(
                    "Lists only users with this text in the id, the e-mail address, or the name of a key.",
                    valueName: "text"))
            var search = ""

            func run() async throws {
                var request = options.request(.list)
                (request.text, request.limit) = (search, 1000)
                repeat {
                    guard let page = try await options.perform(request).page else { return }
                    for user in page.users { print(try options.folder.json ? json(user) : line(user)) }
                    request.after = page.next
                } while request.after != nil
            }

            private func line(_ user: ServerUser) -> String {
                let names = ([user.email] + user.keys.map(\.name)).compactMap { $0 }
                return ([user.id] + user.providers + names + (user.isDisabled ? ["disabled"] : []))
                    .joined(separator: "  ")
            }
        }

        struct Create: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Creates a user with a password, which is read from the standard input.")

            @OptionGroup var options: Options
            @Argument(help: "The e-mail address, which counts as confirmed.") var email: String

            func run() async throws {
                guard let password = PasswordInput.read() else {
                    throw ValidationError("The password is missing: write it to the standard input.")
                }
                var request = options.request(.create)
                (request.email, request.password) = (email, password)
                guard let user = try await options.perform(request).user else { return }
                print(try options.folder.json ? json(user) : user.id)
            }
        }

        struct Disable: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Rejects a user and closes its connections.")

            @OptionGroup var options: Options
            @Argument(help: .user) var user: String

            func run() async throws { try await options.change(.disable, user, "disabled") }
        }

        struct Enable: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Accepts a disabled user again.")

            @OptionGroup var options: Options
            @Argument(help: .user) var user: String

            func run() async throws { try await options.change(.enable, user, "enabled") }
        }

        struct Revoke: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Ends all log-ins of a user and closes its connections.")

            @OptionGroup var options: Options
            @Argument(help: .user) var user: String

            func run() async throws { try await options.change(.revoke, user, "all log-ins are revoked") }
        }

        struct Delete: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Deletes a user. The data in partitions remains.")

            @OptionGroup var options: Options
            @Argument(help: .user) var user: String

            func run() async throws { try await options.change(.delete, user, "deleted") }
        }

        struct SetCustomData: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Sets or removes the custom data of a user, which is part of the next access token.")

            @OptionGroup var options: Options
            @Argument(help: .user) var user: String
            @Argument(help: "An object of Extended JSON. Without it, the custom data is removed.") var data: String?

            func run() async throws {
                var request = options.request(.setCustomData, user: user)
                request.customData = data
                _ = try await options.perform(request)
                if !options.folder.json { print("\(user): the custom data is \(data == nil ? "removed" : "set")") }
            }
        }

        struct MakeKey: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Creates an API key for a program, with its own user, and prints it.",
                discussion: "The server stores only a hash of the key, so it can't be printed again.")

            @OptionGroup var options: Options
            @Argument(help: "The name of the key: letters, digits, '_' and '-'.") var name: String

            func run() async throws {
                var request = options.request(.makeKey)
                request.name = name
                guard let key = try await options.perform(request).key else { return }
                print(try options.folder.json ? json(key) : "\(key.key)\nuser: \(key.user)")
            }
        }
    }

    extension ArgumentHelp {
        fileprivate static let user = ArgumentHelp("The id of the user.")
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts

    extension RealmServer {
        /// The users of the server's apps.
        ///
        /// Its functions can be called from any thread and task while the server runs, and suspend until the change is
        /// durable.
        public var accounts: ServerAccounts {
            guard let accounts = administration.accounts else {
                preconditionFailure("the server's users aren't in its own accounts")
            }
            return accounts
        }

        /// Evaluates `Options.documentAccess` again for the open sessions of an app with flexible sync.
        ///
        /// Call this when the function returns other rights than before, for a reason that the server can't notice. The
        /// files of the users follow the new rights without a new session: objects that a user can't read any more are
        /// removed from the user's files, and those that the user can read now are added. Custom data that
        /// `accounts` sets needs no call. Can be called from any thread.
        ///
        /// When the function returns, new rights are in effect: a write that the server receives later is reverted if
        /// it is forbidden. If `Options.documentAccess` fails for a user, the user's sessions end, and begin again
        /// after a delay.
        ///
        /// - Parameters:
        ///   - user: The id of the user, or `nil` for all users of the app.
        ///   - app: The id of the app.
        public func rightsChanged(of user: String? = nil, in app: String) async {
            await engine.changeRights(of: user, in: app)
        }

        /// Evaluates `Options.documentAccess` again for all open sessions.
        func rightsChanged() async { await engine.changeRights(of: nil, in: nil) }

        /// Returns the state of the server: its sessions, their lag, and recent problems. Can be called from any
        /// thread.
        ///
        /// The server's thread creates the status between two messages, without reading files.
        ///
        /// - Throws: `ServerFailure` if the server has stopped.
        public func status() async throws -> ServerStatus { try await administration.status() }

        /// Returns the apps of the server, with the number of their partitions and users and the size of their data.
        /// Can be called from any thread. It reads the folder of each partition, or the database that servers share.
        ///
        /// - Throws: An error if the data folder or the database can't be read.
        public func apps() async throws -> [AppStatus] { try await administration.apps() }
    }

    extension RealmServer.Options {
        /// The options with a logger that also reports its warnings and errors to `problems`.
        func recordingProblems() -> (options: RealmServer.Options, problems: RecentProblems) {
            if let problems { return (self, problems) }
            let problems = RecentProblems()
            var options = self
            options.logger = problems.recording(logger)
            options.problems = problems
            return (options, problems)
        }
    }
#endif

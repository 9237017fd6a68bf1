// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import RealmPostgres

    /// The programs of PostgreSQL on this machine.
    struct PostgresPrograms: Sendable {
        let folder: String
        /// The user that runs them in place of root, who may not.
        let user: String?

        /// `nil` if PostgreSQL or its library isn't installed.
        static let installed: PostgresPrograms? = {
            let isRoot = geteuid() == 0
            guard PostgresSettings.isLibraryInstalled, let folder = folders.first(where: isComplete),
                !isRoot || getpwnam("postgres") != nil && prefix != nil
            else { return nil }
            return PostgresPrograms(folder: folder, user: isRoot ? "postgres" : nil)
        }()

        /// The newest version comes first.
        private static var folders: [String] {
            let debian = "/usr/lib/postgresql"
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
            let sorted = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            return sorted.map { "\(debian)/\($0)/bin" } + path.split(separator: ":").map(String.init)
        }

        private static func isComplete(_ folder: String) -> Bool {
            ["initdb", "postgres"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
        }

        func holds(_ name: String) -> Bool { FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") }

        /// The program with its arguments that runs another one as the user.
        private static let prefix: [String]? = [
            ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"],
            ["/usr/sbin/runuser", "-u", "postgres", "--"], ["/sbin/runuser", "-u", "postgres", "--"],
        ].first { FileManager.default.isExecutableFile(atPath: $0[0]) }

        func command(_ name: String, _ arguments: [String]) -> [String] {
            (user == nil ? [] : PostgresPrograms.prefix ?? []) + ["\(folder)/\(name)"] + arguments
        }

        /// Makes the user the owner of a folder.
        func own(_ path: String) {
            guard let user, let entry = getpwnam(user) else { return }
            chown(path, entry.pointee.pw_uid, entry.pointee.pw_gid)
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import Foundation
    import RealmSyncServer

    struct ImportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Adds the objects of files to a partition, or to an app with flexible sync.",
            usage: """
                realm-server import (--data <folder> | --postgres <url>) [--app <id>] [<options>] [<partition>] <file>
                """,
            discussion: """
                FILE is a .realm file, a file with a document in Extended JSON in each line (mongoexport), or a .bson \
                file or folder of mongodump. All documents are checked before the first one is imported. An import \
                of documents that was interrupted continues when it's repeated. No server may run on the folder \
                meanwhile. Servers on PostgreSQL can run: their clients receive the objects in parts. \
                \(PartitionOptions.partition)
                """)

        @OptionGroup var options: PartitionOptions
        @Option(
            name: .customLong("class"),
            help: ArgumentHelp(
                """
                The class of all documents. Without it, it's the collection of a .bson file, and the member '$class' \
                of each line.
                """, valueName: "name"))
        var className: String?
        @Option(
            help: ArgumentHelp(
                "The classes to add: JSON schemas, a .realm file, or a folder with documents.realm.",
                valueName: "file"))
        var schema: String?
        @Argument(help: .place) var names: [String]

        func validate() throws { try PartitionOptions.validate(names) }

        func run() throws {
            let (partition, file) = (names.count > 1 ? names[0] : nil, names[names.count - 1])
            let report = try FileImport.read(
                file, className: className, data: options.data.place(), app: options.app,
                partition: partition, schema: schema
            ) { print($0) }
            Swift.print("\(file): \(report.objects) object\(report.objects == 1 ? "" : "s")")
            if !report.ignoredFields.isEmpty {
                Swift.print(
                    "ignored, since no property has the name: \(report.ignoredFields.joined(separator: ", "))")
            }
        }

        private func print(_ progress: ImportProgress) {
            let percent = progress.totalBytes > 0 ? progress.bytes * 100 / progress.totalBytes : 100
            ProgressOutput.write(
                "\(percent) % \(progress.isChecking ? "checked" : "imported"): \(progress.documents) documents")
        }
    }

    enum ProgressOutput {
        /// Writes a line to the standard error.
        static func write(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The tool's output, written in large pieces. Confined to one command and its thread.
package final class TextOutput {
    let terminal: Terminal
    private var buffer: [UInt8] = []
    private var progress: Progress?
    private let messages: (String) -> Void
    private let sink: ([UInt8]) throws -> Void

    init(
        terminal: Terminal = Terminal(), messages: @escaping (String) -> Void = { _ in },
        _ sink: @escaping ([UInt8]) throws -> Void
    ) {
        self.terminal = terminal
        self.messages = messages
        self.sink = sink
    }

    package convenience init(_ sink: @escaping ([UInt8]) throws -> Void) { self.init(messages: { _ in }, sink) }

    func write(_ text: String) throws { try write(text.utf8) }

    package func writeLine(_ text: String) throws { try write(text + "\n") }

    func writeLine(_ json: JSONText) throws {
        try write(json.bytes)
        try write("\n")
    }

    func write(_ bytes: some Sequence<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 16 { try flushPiece() }
    }

    package func flush() throws {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try aside { try sink(buffer) }
    }

    /// A progress line may follow, which needs its own line.
    private func flushPiece() throws {
        guard progress != nil, let end = buffer.lastIndex(of: UInt8(ascii: "\n")) else { return try flush() }
        let rest = Array(buffer[(end + 1)...])
        buffer.removeSubrange((end + 1)...)
        try flush()
        buffer += rest
    }

    private func aside(_ body: () throws -> Void) rethrows {
        if let progress { try progress.aside(body) } else { try body() }
    }

    /// Prints a message outside the output, at once.
    package func note(_ text: String) throws {
        try flush()
        aside { messages(text + "\n") }
    }

    func withProgress<Result>(
        _ title: String, total: Int? = nil, _ unit: Progress.Unit, _ body: (Progress) throws -> Result
    ) rethrows -> Result {
        let progress = Progress(title, total: total, unit, terminal)
        self.progress = terminal.showsProgress ? progress : nil
        defer {
            progress.finish()
            self.progress = nil
        }
        return try body(progress)
    }
}

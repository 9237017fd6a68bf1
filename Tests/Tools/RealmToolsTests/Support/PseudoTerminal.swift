// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

/// The tool on a terminal, which a test controls by keys and output.
final class PseudoTerminal {
    private let descriptor: Int32
    private let process = Process()
    /// The output that hasn't been consumed yet.
    private(set) var output = ""

    init(_ arguments: [String], home: String, columnCount: UInt16 = 80) throws {
        guard let tool = BuiltProgram.path("realm") else { throw Failure("'realm' was not built") }
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard descriptor >= 0, let name = PseudoTerminal.name(of: descriptor) else {
            throw Failure("no terminal: \(errno)")
        }
        var size = winsize(ws_row: 24, ws_col: columnCount, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
        let end = FileHandle(fileDescriptor: open(name, O_RDWR | O_NOCTTY), closeOnDealloc: true)
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = arguments
        process.environment = ["HOME": home, "TERM": "xterm"]
        (process.standardInput, process.standardOutput, process.standardError) = (end, end, end)
        try process.run()
    }

    /// Unlocks the other end of a terminal, and returns its path.
    private static func name(of descriptor: Int32) -> String? {
        #if canImport(Darwin)
            guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0 else { return nil }
            return ptsname(descriptor).map { String(cString: $0) }
        #else
            // TIOCSPTLCK and TIOCGPTN are macros with types, and so aren't imported into Swift.
            let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
            var (isLocked, number) = (Int32(0), Int32(0))
            guard ioctl(descriptor, setLock, &isLocked) == 0, ioctl(descriptor, getNumber, &number) == 0 else {
                return nil
            }
            return "/dev/pts/\(number)"
        #endif
    }

    deinit {
        if process.isRunning { process.terminate() }
        close(descriptor)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// Waits until a text is drawn. Returns the output before it, and consumes both.
    @discardableResult func wait(for text: String) throws -> String {
        let end = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < end {
            if let range = output.range(of: text) {
                defer { output.removeSubrange(..<range.upperBound) }
                return String(output[..<range.lowerBound])
            }
            try read()
        }
        throw Failure("'\(text)' was not drawn, but \(output.debugDescription)")
    }

    private func read() throws {
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, 100) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { throw Failure("the tool has ended; it drew \(output.debugDescription)") }
        output += String(decoding: bytes[..<count], as: UTF8.self)
    }

    func waitUntilExit() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}

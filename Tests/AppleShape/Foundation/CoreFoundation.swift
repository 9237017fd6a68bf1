// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What Apple's Foundation shows of Core Foundation, and Foundation on Linux does not. It is compiled with our sources,
// because they import nothing but Foundation for it.

import Foundation

typealias CFString = NSString

class CFRunLoop {}

struct CFRunLoopMode: RawRepresentable, @unchecked Sendable {
    var rawValue: CFString
    static var commonModes: CFRunLoopMode { CFRunLoopMode(rawValue: "") }
}

func CFRunLoopGetCurrent() -> CFRunLoop! { nil }
func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: AnyObject!, _ block: (() -> Void)!) {}
func CFRunLoopWakeUp(_ rl: CFRunLoop!) {}

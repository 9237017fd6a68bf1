// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// How a picture fills its place.
public enum ContentMode: Hashable, CaseIterable, Sendable { case fit, fill }
/// Light or dark colours.
public enum ColorScheme: Hashable, CaseIterable, Sendable { case light, dark }
/// Whether a window is used.
public enum ScenePhase: Hashable, Comparable, Sendable { case background, inactive, active }
/// Whether something is shown.
public enum Visibility: Hashable, CaseIterable, Sendable { case automatic, visible, hidden }
/// The direction of reading.
public enum LayoutDirection: Hashable, CaseIterable, Sendable { case leftToRight, rightToLeft }
/// Whether a window is narrow.
public enum UserInterfaceSizeClass: Hashable, Sendable { case compact, regular }
/// How round corners are drawn.
public enum RoundedCornerStyle: Hashable, Sendable { case circular, continuous }
/// How much something stands out.
public enum Prominence: Hashable, Sendable { case standard, increased }
/// How large controls are.
public enum ControlSize: Hashable, CaseIterable, Sendable { case mini, small, regular, large, extraLarge }

/// How large the user wants texts. Here the browser makes them so.
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

    /// Whether it is one of the largest.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

/// How large the user wants texts, by its older name.
public enum ContentSizeCategory: Hashable, CaseIterable, Sendable {
    case extraSmall, small, medium, large, extraLarge, extraExtraLarge, extraExtraExtraLarge, accessibilityMedium
    case accessibilityLarge, accessibilityExtraLarge, accessibilityExtraExtraLarge, accessibilityExtraExtraExtraLarge
}

/// Whether rows can be deleted and moved.
public enum EditMode: Hashable, Sendable {
    case inactive, transient, active

    /// Whether they can.
    public var isEditing: Bool { self != .inactive }
}

/// What the return key of a keyboard on screen says.
public struct SubmitLabel: Sendable {
    let css: String
    /// Done.
    public static let done = SubmitLabel(css: "done")
    /// Go.
    public static let go = SubmitLabel(css: "go")
    /// Send.
    public static let send = SubmitLabel(css: "send")
    /// Join.
    public static let join = SubmitLabel(css: "go")
    /// Route.
    public static let route = SubmitLabel(css: "go")
    /// Search.
    public static let search = SubmitLabel(css: "search")
    /// Return.
    public static let `return` = SubmitLabel(css: "enter")
    /// Next.
    public static let next = SubmitLabel(css: "next")
    /// Continue.
    public static let `continue` = SubmitLabel(css: "next")
}

/// What `onSubmit` is told of.
public struct SubmitTriggers: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: Int
    /// Makes a set of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Return in a text field.
    public static let text = SubmitTriggers(rawValue: 1)
    /// Return in a search field.
    public static let search = SubmitTriggers(rawValue: 2)
}

/// What a keyboard on screen capitalizes.
public struct TextInputAutocapitalization: Sendable {
    let css: String
    /// Nothing.
    public static var never: TextInputAutocapitalization { .init(css: "none") }
    /// Words.
    public static var words: TextInputAutocapitalization { .init(css: "words") }
    /// Sentences.
    public static var sentences: TextInputAutocapitalization { .init(css: "sentences") }
    /// Every character.
    public static var characters: TextInputAutocapitalization { .init(css: "characters") }
}

/// What a keyboard on screen capitalizes, by its older name.
public enum UITextAutocapitalizationType: Int, Sendable {
    case none, words, sentences, allCharacters

    var css: String { ["none", "words", "sentences", "characters"][rawValue] }
}

/// Which keyboard a screen shows.
public enum UIKeyboardType: Int, Sendable {
    case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad, emailAddress
    case decimalPad, twitter, webSearch, asciiCapableNumberPad

    var inputMode: String {
        switch self {
        case .URL: "url"
        case .numberPad, .asciiCapableNumberPad: "numeric"
        case .phonePad: "tel"
        case .emailAddress: "email"
        case .decimalPad: "decimal"
        case .webSearch: "search"
        default: "text"
        }
    }
}

/// What a field is for, so that a browser can fill it in.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    /// As the page says it.
    public let rawValue: String
    /// Makes a kind of content.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A name.
    public static let name = UITextContentType(rawValue: "name")
    /// A given name.
    public static let givenName = UITextContentType(rawValue: "given-name")
    /// A family name.
    public static let familyName = UITextContentType(rawValue: "family-name")
    /// A name of a user.
    public static let username = UITextContentType(rawValue: "username")
    /// A password.
    public static let password = UITextContentType(rawValue: "current-password")
    /// A new password.
    public static let newPassword = UITextContentType(rawValue: "new-password")
    /// A code for one use.
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
    /// An address of mail.
    public static let emailAddress = UITextContentType(rawValue: "email")
    /// A telephone number.
    public static let telephoneNumber = UITextContentType(rawValue: "tel")
    /// An address of the web.
    public static let URL = UITextContentType(rawValue: "url")
}

/// A key of the keyboard.
public struct KeyEquivalent: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    /// What the key writes.
    public let character: Character
    /// Makes a key.
    public init(_ character: Character) { self.character = character }
    /// Makes a key of a literal.
    public init(extendedGraphemeClusterLiteral value: Character) { character = value }
    /// Return.
    public static let `return` = KeyEquivalent("\r")
    /// Escape.
    public static let escape = KeyEquivalent("\u{1B}")
    /// Delete.
    public static let delete = KeyEquivalent("\u{8}")
    /// Space.
    public static let space = KeyEquivalent(" ")
    /// Tab.
    public static let tab = KeyEquivalent("\t")
}

/// Keys that are held.
public struct EventModifiers: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: Int
    /// Makes a set of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Command, here Control.
    public static let command = EventModifiers(rawValue: 1)
    /// Shift.
    public static let shift = EventModifiers(rawValue: 2)
    /// Option, here Alt.
    public static let option = EventModifiers(rawValue: 4)
    /// Control.
    public static let control = EventModifiers(rawValue: 8)
}

/// A key with those held, for a button.
public struct KeyboardShortcut: Sendable {
    let text: String
    /// Makes a shortcut.
    public init(_ key: KeyEquivalent, modifiers: EventModifiers = .command) {
        text = "\(modifiers.rawValue)\(key.character)"
    }
    /// Return.
    public static let defaultAction = KeyboardShortcut(.return, modifiers: [])
    /// Escape.
    public static let cancelAction = KeyboardShortcut(.escape, modifiers: [])
}

/// What a view is to assistive technology.
public struct AccessibilityTraits: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: Int
    /// Makes a set of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// A button.
    public static let isButton = AccessibilityTraits(rawValue: 1)
    /// A heading.
    public static let isHeader = AccessibilityTraits(rawValue: 2)
    /// Selected.
    public static let isSelected = AccessibilityTraits(rawValue: 4)
    /// A link.
    public static let isLink = AccessibilityTraits(rawValue: 8)
    /// An image.
    public static let isImage = AccessibilityTraits(rawValue: 16)
    /// A text that does not change.
    public static let isStaticText = AccessibilityTraits(rawValue: 32)
    /// Above the rest of the page.
    public static let isModal = AccessibilityTraits(rawValue: 64)
    /// Changes often.
    public static let updatesFrequently = AccessibilityTraits(rawValue: 128)

    var names: String {
        ["button", "header", "selected", "link", "image", "text", "modal", "live"].enumerated()
            .filter { rawValue & 1 << $0.offset != 0 }.map(\.element).joined(separator: " ")
    }
}

/// How views below one are told to assistive technology.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    let isCombined: Bool
    /// As one.
    public static let combine = AccessibilityChildBehavior(isCombined: true)
    /// Not at all.
    public static let ignore = AccessibilityChildBehavior(isCombined: true)
    /// Each for itself.
    public static let contain = AccessibilityChildBehavior(isCombined: false)
}
